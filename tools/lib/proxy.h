/* proxy.h: what netshape is made of: an HTTP proxy whose every byte passes a
 * link of a given rate and delay.  One loop, one thread; nothing here blocks.
 * Times are now_ns()'s; `now` is the moment of the loop's present round. */
#ifndef PROXY_H
#define PROXY_H

#include "nbscope.h"

#include <poll.h>
#include <sys/socket.h>

#define NEVER UINT64_MAX

static inline uint64_t
earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* ---- shape.c: a link, and what passes it ----------------------------------- */

struct link {
	double bytes_per_s;	/* 0: unlimited */
	uint64_t latency_ns, jitter_ns;
	uint64_t random;	/* the generator's state: the seed */
	uint64_t free_at_ns;	/* private: all put on it so far is through */
	bool full;		/* private: more was waiting */
};
/* The moment when n bytes, put on it now, come out at the other end. */
uint64_t link_pass(struct link *, size_t n, uint64_t now);
uint64_t link_delay_ns(struct link *);	/* latency and one draw of jitter */
/* More may be put on it now?  If not, link_opens_at() says when. */
bool link_open(const struct link *, uint64_t now);
uint64_t link_opens_at(const struct link *);
size_t link_piece(const struct link *);	/* most bytes to put on it at once */
size_t link_window(const struct link *);	/* most bytes of one flow on their way */

struct chunk;
struct flow {
	struct link *link;
	int to;			/* socket; -1: there is none yet */
	struct chunk *first, *last;
	size_t queued;		/* bytes on their way */
	uint64_t last_due_ns;	/* order is kept: nothing overtakes */
	bool ended;		/* no more is coming in */
	bool done;		/* its end was passed on */
	bool reset;		/* its end is a reset, not a close */
	bool blocked;		/* `to` takes no more until it is writable again */
	uint64_t *bytes;	/* counts what was put */
};
/* Bytes put on the link; extra_ns delays them more. */
void flow_put(struct flow *, const char *, size_t n, uint64_t now, uint64_t extra_ns);
/* The proxy's own words, which pass no link: written at `due`. */
void flow_say(struct flow *, const char *, size_t n, uint64_t now, uint64_t due);
void flow_end(struct flow *, uint64_t now, bool reset);
/* Writes what is due; -1: `to` is gone, or the end was a reset. */
int flow_write(struct flow *, uint64_t now);
uint64_t flow_due(const struct flow *);	/* when flow_write has work; or NEVER */
void flow_drop(struct flow *);	/* what is on its way is lost; no more comes */

/* ---- reqhead.c: the head of a request to a proxy ---------------------------- */

enum { HEAD_LIMIT_BYTES = 64 << 10 };
enum body_state {
	BODY_DONE, BODY_LENGTH, BODY_SIZE, BODY_EXTENSION, BODY_DATA, BODY_DATA_END, BODY_TRAILER,
};
struct body {
	enum body_state state;
	uint64_t left;		/* of the body, or of the present chunk */
	int digits;		/* of the present chunk's size; of a trailer line */
};
struct reqhead {
	bool tunnel;		/* CONNECT */
	bool upgrade;		/* asks for another protocol: a WebSocket */
	char host[256], port[6];
	struct buf head;	/* as the server wants it */
	struct body body;
};
/* Where the head ends (after its empty line); 0: not yet in these bytes. */
size_t reqhead_end(const char *, size_t n);
/* A whole head, which is changed.  NULL, or what is wrong with it; the caller
 * frees r->head either way. */
const char *reqhead_parse(char *head, size_t n, struct reqhead *r);
/* How many of these bytes belong to the body; -1: its chunks are malformed. */
ssize_t body_take(struct body *, const char *, size_t n);

/* ---- dial.c: from a name to a connected socket ------------------------------- */

enum dial_state { DIAL_NONE, DIAL_NAMES, DIAL_CONNECTING, DIAL_OPEN, DIAL_FAILED };
enum { MOST_ADDRESSES = 8, DIAL_MS = 10000 };
struct dial {
	enum dial_state state;
	int fd;			/* poll it; the socket once it is open */
	uint64_t end_ns, try_end_ns;
	struct sockaddr_storage to[MOST_ADDRESSES];
	int n_to, next;
	bool late;		/* failed for want of an answer in time */
	const char *reason;	/* of a failure */
};
void dial_start(struct dial *, const char *host, const char *port, uint64_t now);
short dial_events(const struct dial *);	/* what to poll fd for; 0: nothing */
uint64_t dial_deadline(const struct dial *);
/* To be called when fd is ready or the deadline has come. */
void dial_step(struct dial *, bool ready, uint64_t now);
void dial_close(struct dial *);

/* ---- proxy.c: the loop -------------------------------------------------------- */

struct traffic {
	uint64_t connections, down_bytes, up_bytes;
};
struct proxy {
	struct link up, down;	/* from the client, to the client */
	int control;		/* commands come here; its end is the proxy's */
	int listener;
	struct traffic *traffic;
};
enum proxy_command { PROXY_STALL = 's', PROXY_CUT = 'c', PROXY_REFUSE = 'r', PROXY_GO = 'g' };
int proxy_listen(int *port);	/* a loopback socket; -1 and errno */
void proxy_run(struct proxy *);	/* until control ends */

/* ---- pair.c: a client and its server ------------------------------------------- */

enum pair_side { CLIENT_SIDE, SERVER_SIDE, PAIR_SIDES };
struct pair;
struct pair *pair_open(struct proxy *, int client);	/* takes the socket */
void pair_free(struct pair *);
void pair_abort(struct pair *);	/* both sides will see a reset; now it is over */
bool pair_over(struct pair *, uint64_t now);
/* What to poll for; returns when to wake at the latest. */
uint64_t pair_prepare(const struct pair *, struct pollfd slots[PAIR_SIDES], bool stalled, uint64_t now);
/* Goes on connecting, and writes what is due. */
void pair_write(struct pair *, struct pollfd slots[PAIR_SIDES], bool stalled, uint64_t now);
/* One piece from one side, if it is there and the link takes it: true. */
bool pair_read(struct pair *, enum pair_side, short revents, uint64_t now);

#endif
