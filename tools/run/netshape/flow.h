/* flow.h: the bytes of one direction of a connection, in flight over a link. */
#pragma once

#include "link.h"

struct flow_chunk;
struct flow {
	struct link *link;
	int to;			/* socket; -1: none yet */
	struct flow_chunk *first, *last;
	size_t queued_bytes;	/* in flight */
	uint64_t last_due_ns;	/* keeps the order: nothing overtakes */
	bool ended;		/* nothing more comes in */
	bool done;		/* the end was passed on */
	bool reset;		/* the end is a reset, not a close */
	bool blocked;		/* `to` accepts nothing until it is writable again */
};

/* Sends bytes over the link, delayed by extra_ns more. */
void flow_send(struct flow *, const char *, size_t n, uint64_t now, uint64_t extra_ns);
/* The proxy's own answers do not pass the link: they are written at due_ns. */
void flow_answer(struct flow *, const char *, size_t n, uint64_t now, uint64_t due_ns);
void flow_end(struct flow *, uint64_t now, bool reset);
/* Writes what is due; -1: `to` is gone, or the end was a reset. */
int flow_write(struct flow *, uint64_t now);
uint64_t flow_due_ns(const struct flow *);	/* when flow_write() has work, or NEVER */
void flow_drop(struct flow *);	/* discards what is in flight, and ends the flow */
