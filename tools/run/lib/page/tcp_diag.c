/* tcp_diag.c: what the system knows of TCP connections, by sock_diag(7). */
#include "page/tcp_diag.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { ESTABLISHED = 1, ANSWER_BYTES = 32768 };

struct question {
	struct nlmsghdr head;
	struct inet_diag_req_v2 ask;
};

int
tcp_diag_open(void)
{
	const struct timeval limit = {.tv_sec = 1};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	if (fd >= 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
	return fd;
}

static bool
ask_system(int fd, int flags, uint8_t family, const struct inet_diag_sockid *id)
{
	struct question q = {
		.head = {.nlmsg_len = sizeof q, .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			.nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags)},
		.ask = {.sdiag_family = family, .sdiag_protocol = IPPROTO_TCP,
			.idiag_ext = 1 << (INET_DIAG_INFO - 1),
			.idiag_states = 1 << ESTABLISHED, .id = *id},
	};
	return send(fd, &q, sizeof q, 0) == sizeof q;
}

/* The system dates what arrives by its tick, of which this clock shows the last one: it
 * arrived before the next. */
static double
tick_end_s(void)
{
	struct timespec now, tick;
	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	clock_getres(CLOCK_REALTIME_COARSE, &tick);
	return (double)(now.tv_sec + tick.tv_sec) + (double)(now.tv_nsec + tick.tv_nsec) / 1e9;
}

static bool
read_answer(const struct nlmsghdr *head, struct tcp_diag *c)
{
	const struct inet_diag_msg *m = NLMSG_DATA(head);
	size_t n = head->nlmsg_len - NLMSG_LENGTH(sizeof *m);
	struct tcp_info info;
	if (head->nlmsg_type != SOCK_DIAG_BY_FAMILY)
		return false;
	for (const struct rtattr *a = (const void *)(m + 1); RTA_OK(a, n); a = RTA_NEXT(a, n)) {
		/* Older systems know fewer members. */
		if (a->rta_type != INET_DIAG_INFO || RTA_PAYLOAD(a) <
		    offsetof(struct tcp_info, tcpi_bytes_received) + sizeof(uint64_t))
			continue;
		memcpy(&info, RTA_DATA(a), offsetof(struct tcp_info, tcpi_segs_out));
		*c = (struct tcp_diag){.family = m->idiag_family, .id = m->id,
			.received_bytes = info.tcpi_bytes_received,
			.received_t = tick_end_s() - info.tcpi_last_data_recv / 1e3};
		return true;
	}
	return false;
}

static size_t
list_family(int fd, uint8_t family, uint16_t port, struct tcp_diag *v, size_t max)
{
	const struct inet_diag_sockid to_port = {.idiag_dport = htons(port)};
	static _Alignas(struct nlmsghdr) char answer[ANSWER_BYTES];
	size_t n = 0;
	ssize_t got = 0;
	bool more = ask_system(fd, NLM_F_DUMP, family, &to_port);
	while (more && (got = recv(fd, answer, sizeof answer, 0)) > 0) {
		size_t left = (size_t)got;
		for (const struct nlmsghdr *h = (const void *)answer; NLMSG_OK(h, left);
		    h = NLMSG_NEXT(h, left)) {
			more = more && h->nlmsg_type != NLMSG_DONE && h->nlmsg_type != NLMSG_ERROR;
			n += more && n < max && read_answer(h, &v[n]);
		}
	}
	return n;
}

size_t
tcp_diag_list(int fd, uint16_t port, struct tcp_diag *v, size_t max)
{
	size_t n = list_family(fd, AF_INET, port, v, max);
	return n + list_family(fd, AF_INET6, port, v + n, max - n);
}

int
tcp_diag_read(int fd, struct tcp_diag *c)
{
	_Alignas(struct nlmsghdr) char answer[2048];
	const struct nlmsghdr *h = (const void *)answer;
	if (!ask_system(fd, 0, c->family, &c->id))
		return -1;
	ssize_t got = recv(fd, answer, sizeof answer, 0);
	return got > 0 && NLMSG_OK(h, (size_t)got) && read_answer(h, c) ? 0 : -1;
}
