/* link.h: a link of a given rate and delay, as a schedule: bytes sent over it are through
 * once all bytes before them and they themselves have taken their time; then they travel for
 * the latency. Times are clock_monotonic_ns()'s; `now` is that of the proxy's current round. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NEVER UINT64_MAX

static inline uint64_t
earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

struct link {
	double bytes_per_s;	/* 0: unlimited */
	uint64_t latency_ns, jitter_ns;
	uint64_t random;	/* state of the generator, initially the seed */
	uint64_t carried_bytes;	/* everything sent so far */
	uint64_t free_at_ns;	/* private: when everything sent so far is through */
	bool saturated;		/* private: more was waiting */
};

/* Sends n bytes; returns when they arrive at the other end. */
uint64_t link_send(struct link *, size_t n, uint64_t now);
uint64_t link_delay_ns(struct link *);	/* latency and one draw of jitter */
/* When more may be sent; now or earlier: at once. */
uint64_t link_opens_at_ns(const struct link *);
size_t link_piece_bytes(const struct link *);	/* the most to send at once */
size_t link_window_bytes(const struct link *);	/* the most of one flow to have in flight */
