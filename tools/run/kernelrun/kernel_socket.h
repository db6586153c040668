/* kernel_socket.h: the WebSocket of a kernel. */
#pragma once

#include "jupyter/lab.h"
#include "net/websocket.h"

/* Connects to the kernel's channels; `session` identifies this client to the server.  NULL and the
 * reason in *why, which the caller frees. */
struct websocket *kernel_socket_open(struct lab *, const char *kernel_id, const char *session,
    uint64_t end_ns, websocket_receiver *, void *arg, char **why);
bool kernel_socket_is_framed(const struct websocket *);	/* see kernel_message.h */
