/* peer_cred.c: which user is at the other end of a loopback connection.
 * The kernel has the other end's socket too, with its owner: it is asked for that one socket
 * (microseconds), or else its table of all sockets is searched. */
#include "net/peer_cred.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ENDPOINT_BYTES = 40 };
struct endpoint {
	int family;		/* an IPv4 address within IPv6 counts as IPv4 */
	unsigned int word[4];	/* the address, in memory order */
	in_port_t port;		/* the port, in network order */
};

static bool
read_endpoint(struct endpoint *e, const struct sockaddr_storage *a)
{
	const struct sockaddr_in *in = (const void *)a;
	const struct sockaddr_in6 *in6 = (const void *)a;
	*e = (struct endpoint){.family = a->ss_family};
	if (a->ss_family == AF_INET) {
		memcpy(e->word, &in->sin_addr, sizeof in->sin_addr);
		e->port = in->sin_port;
	} else if (a->ss_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr)) {
		e->family = AF_INET;
		memcpy(e->word, &in6->sin6_addr.s6_addr[12], sizeof *e->word);
		e->port = in6->sin6_port;
	} else if (a->ss_family == AF_INET6) {
		memcpy(e->word, &in6->sin6_addr, sizeof e->word);
		e->port = in6->sin6_port;
	} else {
		return false;
	}
	return true;
}

/* A socket without an inode was closed already and belongs to nobody. */
static bool
is_trusted(unsigned int uid, unsigned long inode)
{
	return inode != 0 && (uid == geteuid() || uid == 0);
}

/* 1: trusted, 0: not, -1: the kernel does not answer. */
static int
ask_kernel(const struct endpoint *theirs, const struct endpoint *ours)
{
	struct {
		struct nlmsghdr head;
		struct inet_diag_req_v2 q;
	} ask = {
		.head = {.nlmsg_len = sizeof ask, .nlmsg_type = SOCK_DIAG_BY_FAMILY,
		    .nlmsg_flags = NLM_F_REQUEST},
		.q = {.sdiag_family = (unsigned char)theirs->family, .sdiag_protocol = IPPROTO_TCP,
		    .idiag_states = ~0u, .id = {.idiag_sport = theirs->port,
		    .idiag_dport = ours->port,
		    .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}}};
	struct {
		struct nlmsghdr head;
		struct inet_diag_msg found;
		char more[512];
	} answer = {0};
	memcpy(ask.q.id.idiag_src, theirs->word, sizeof theirs->word);
	memcpy(ask.q.id.idiag_dst, ours->word, sizeof ours->word);
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	bool sent = fd >= 0 && send(fd, &ask, sizeof ask, 0) == (ssize_t)sizeof ask;
	ssize_t n = sent ? recv(fd, &answer, sizeof answer, 0) : -1;
	if (fd >= 0)
		close(fd);
	if (n < (ssize_t)(sizeof answer.head + sizeof answer.found) ||
	    answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY)
		return -1;
	return is_trusted(answer.found.idiag_uid, answer.found.idiag_inode);
}

static void
write_endpoint(char text[ENDPOINT_BYTES], const struct endpoint *e)
{
	const unsigned int *w = e->word;
	if (e->family == AF_INET)
		snprintf(text, ENDPOINT_BYTES, "%08X:%04X", w[0], ntohs(e->port));
	else
		snprintf(text, ENDPOINT_BYTES, "%08X%08X%08X%08X:%04X", w[0], w[1], w[2], w[3],
		    ntohs(e->port));
}

static bool
search_table(const struct endpoint *theirs, const struct endpoint *ours)
{
	char line[512], local[ENDPOINT_BYTES], remote[ENDPOINT_BYTES];
	char expected_local[ENDPOINT_BYTES], expected_remote[ENDPOINT_BYTES];
	unsigned int uid;
	unsigned long inode;
	bool trusted = false, ipv4 = theirs->family == AF_INET;
	write_endpoint(expected_local, theirs);
	write_endpoint(expected_remote, ours);
	FILE *table = fopen(ipv4 ? "/proc/self/net/tcp" : "/proc/self/net/tcp6", "re");
	while (table && fgets(line, sizeof line, table))
		if (sscanf(line, " %*d: %39s %39s %*x %*x:%*x %*x:%*x %*x %u %*d %lu", local,
		    remote, &uid, &inode) == 4 && strcmp(local, expected_local) == 0 &&
		    strcmp(remote, expected_remote) == 0)
			trusted = is_trusted(uid, inode);
	if (table)
		fclose(table);
	return trusted;
}

bool
peer_cred_trusted(int fd)
{
	struct sockaddr_storage here = {0}, there = {0};
	socklen_t n = sizeof here, m = sizeof there;
	struct endpoint ours, theirs;
	if (getsockname(fd, (struct sockaddr *)&here, &n) != 0 ||
	    getpeername(fd, (struct sockaddr *)&there, &m) != 0 ||
	    !read_endpoint(&ours, &here) || !read_endpoint(&theirs, &there))
		return false;
	int answer = ask_kernel(&theirs, &ours);
	return answer < 0 ? search_table(&theirs, &ours) : answer;
}
