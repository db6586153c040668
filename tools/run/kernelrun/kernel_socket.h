/* kernel_socket.h: the WebSocket of a kernel, by libwebsockets. */
#pragma once

#include "jupyter/lab.h"

#include <stdint.h>

struct kernel_socket;
/* Receives each message when it is complete, the first ones before kernel_socket_open() returns;
 * t: Unix ms. */
typedef void kernel_socket_receiver(void *arg, const char *data, size_t n, bool binary,
    bool framed, double t);

/* Connects to the kernel's channels; `session` identifies this client to the server.  NULL and the
 * reason in *why, which the caller frees. */
struct kernel_socket *kernel_socket_open(struct lab *, const char *kernel_id, const char *session,
    uint64_t end_ns, kernel_socket_receiver *, void *arg, char **why);
bool kernel_socket_is_framed(const struct kernel_socket *);	/* see kernel_message.h */
bool kernel_socket_is_closed(const struct kernel_socket *);
/* Sends a message as a whole.  0; -1: the connection is closed. */
int kernel_socket_send(struct kernel_socket *, const char *data, size_t n);
/* Waits for something to happen, until end_ns at most, and handles it. */
void kernel_socket_turn(struct kernel_socket *, uint64_t end_ns);
void kernel_socket_close(struct kernel_socket *);
