/* kernel_client.h: a connection to a kernel: requests, its answers, its clock, its loss. */
#pragma once

#include "kernel/kernel_clock.h"
#include "kernel_message.h"
#include "server/server_files.h"

enum { KERNEL_CLIENT_ID_BYTES = 64 };

struct kernel_client;
/* Receives each message that answers no silent request; t: Unix ms of its arrival. */
typedef void kernel_client_receiver(void *arg, struct kernel_message *, double t);

struct kernel_client {
	struct server_files *files;
	struct websocket *socket;
	char session[33];
	long requests;
	json_t *open;	/* requests that are not over: {id: Unix ms when it was sent} */
	struct kernel_clock clock;
	json_t *lost;	/* the kernel or the server: what, state, t; NULL: neither */
	double heard_ms;	/* when the last message came, Unix ms */
	long drops;	/* of the connection */
	size_t unread;	/* messages that could not be read */
	json_t *info;	/* the kernel's: kernel_info_reply */
	kernel_client_receiver *receive;
	void *arg;

	/* The silent request that is waited for. */
	struct {
		char id[KERNEL_CLIENT_ID_BYTES];
		bool replied, idle;
		json_t *content;
	} silent;
};

/* Connects to the kernel of `files` and waits until it answers: NULL, or why not, the caller's. */
char *kernel_client_open(struct kernel_client *, struct server_files *, uint64_t end_ns,
    kernel_client_receiver *, void *arg);
/* Sends a request on the shell channel; returns the bytes of the message, and when it was sent,
 * Unix ms.  0: the connection is closed. */
size_t kernel_client_send(struct kernel_client *, const char *type, json_t *content,
    json_t *metadata, char id[KERNEL_CLIENT_ID_BYTES], double *t);
/* Handles messages until done(arg), the end, or something is lost; whether done(). */
bool kernel_client_wait(struct kernel_client *, bool (*done)(void *arg), void *arg,
    uint64_t end_ns);
/* Whether the kernel runs Python. */
bool kernel_client_is_python(const struct kernel_client *);
/* Whether this is the id of one of our silent requests, which belong to no cell. */
bool kernel_client_is_silent(const struct kernel_client *, const char *id);
/* Evaluates an expression by a silent request; "" evaluates nothing.  The reply's content,
 * borrowed until the next one; NULL: there was none. */
const json_t *kernel_client_evaluate(struct kernel_client *, const char *expression,
    long limit_ms);
void kernel_client_close(struct kernel_client *);
