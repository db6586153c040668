/* proxy.h: an HTTP proxy whose every byte passes a link of a given rate and delay. One loop,
 * which never blocks; only connections are made in threads (connect.c). */
#pragma once

#include "link.h"

struct proxy {
	struct link up, down;	/* from the client, to the client */
	int control;		/* receives commands; the proxy ends when it is closed */
	int listener;
	uint64_t connections;	/* accepted so far */
};
enum proxy_command { PROXY_STALL = 's', PROXY_CUT = 'c', PROXY_REFUSE = 'r', PROXY_GO = 'g' };

int proxy_listen(int *port);	/* a loopback socket; -1 and errno */
void proxy_run(struct proxy *);
