/* websocket.h: a WebSocket's client, by libwebsockets. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct websocket;
/* Receives each message when it is complete, the first ones before websocket_open() returns;
 * t: Unix ms. */
typedef void websocket_receiver(void *arg, const struct websocket *, const char *data, size_t n,
    double t);
struct websocket_options {
	const char *url;	/* http://, https://, ws:// or wss:// */
	json_t *headers;	/* of the handshake, {name: value}; NULL: none */
	const char *protocol;	/* asked for; NULL: none */
	const char *authorities;	/* a PEM file for TLS; NULL: the system's */
	bool insecure;		/* accept any TLS certificate */
	uint64_t end_ns;	/* of opening it */
	websocket_receiver *receive;
	void *arg;
};

/* NULL and the reason in *why, which the caller frees. */
struct websocket *websocket_open(const struct websocket_options *, char **why);
const char *websocket_protocol(const struct websocket *);	/* the server's choice; "": none */
bool websocket_is_binary(const struct websocket *);	/* the message being received */
bool websocket_is_closed(const struct websocket *);
/* Sends a message as a whole; while one is received, after that.  0; -1: it is closed. */
int websocket_send(struct websocket *, const char *data, size_t n, bool binary);
/* Waits for something to happen, until end_ns at most, and handles it. */
void websocket_turn(struct websocket *, uint64_t end_ns);
void websocket_close(struct websocket *);	/* NULL: nothing happens */
