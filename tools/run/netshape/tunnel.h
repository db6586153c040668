/* tunnel.h: one client of the proxy, and the server that it currently talks to. */
#pragma once

#include "link.h"

#include <poll.h>

enum tunnel_side { CLIENT_SIDE, SERVER_SIDE, TUNNEL_SIDES };
struct tunnel;

struct tunnel *tunnel_open(int client, struct link *up, struct link *down);	/* owns client */
void tunnel_free(struct tunnel *);
void tunnel_abort(struct tunnel *);	/* both sides will see a reset */
bool tunnel_is_over(struct tunnel *, uint64_t now);
/* Fills in what to poll for; returns when to wake up at the latest. */
uint64_t tunnel_prepare(const struct tunnel *, struct pollfd slots[TUNNEL_SIDES], bool stalled,
    uint64_t now);
/* Continues connecting, and writes what is due. */
void tunnel_write(struct tunnel *, struct pollfd slots[TUNNEL_SIDES], bool stalled, uint64_t now);
/* Reads one piece from one side; true if there was one and the link had room for it. */
bool tunnel_read(struct tunnel *, enum tunnel_side, short revents, uint64_t now);
