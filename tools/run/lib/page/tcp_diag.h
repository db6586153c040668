/* tcp_diag.h: what the system knows of TCP connections of any process on this machine. */
#ifndef TCP_DIAG_H
#define TCP_DIAG_H

#include <linux/inet_diag.h>
#include <stddef.h>
#include <stdint.h>

struct tcp_diag {
	uint8_t family;
	struct inet_diag_sockid id;
	uint64_t received_bytes;	/* since it was opened; read or not yet read */
	double received_t;	/* Unix s when the last of them came, or up to a tick later */
};
/* A socket to ask with; -1: not possible here. */
int tcp_diag_open(void);
/* Fills v with the open connections to this remote port, at most max; returns their number. */
size_t tcp_diag_list(int fd, uint16_t port, struct tcp_diag *v, size_t max);
/* Reads the connection again: 0; -1: it is closed. */
int tcp_diag_read(int fd, struct tcp_diag *);

#endif
