/* shape.c: a link of a given rate and delay, and what passes it.
 * A link is a schedule: what is put on it is through when all before it is and
 * its own bytes have taken their time; then it travels for the latency.  Bytes
 * are read a little before their turn, and a late wake-up is caught up with. */
#include "proxy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
	AHEAD_NS = 20000000, CATCH_UP_NS = 200000000, PIECE_NS = 4000000,
	LEAST_PIECE_BYTES = 1460, MOST_PIECE_BYTES = 64 << 10, UNLIMITED_PIECE_BYTES = 256 << 10,
	LEAST_WINDOW_BYTES = 256 << 10, UNLIMITED_WINDOW_BYTES = 8 << 20, MOST_WINDOW_BYTES = 32 << 20,
};

struct chunk {
	struct chunk *next;
	uint64_t due_ns;
	size_t n, at;	/* n is 0: the end */
	char bytes[];
};

static size_t
clamp(double x, size_t lo, size_t hi)
{
	return x < (double)lo ? lo : x > (double)hi ? hi : (size_t)x;
}

/* splitmix64: the same seed gives the same draws everywhere. */
static uint64_t
draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

uint64_t
link_delay_ns(struct link *l)
{
	return l->latency_ns + (l->jitter_ns ? draw(&l->random) % (l->jitter_ns + 1) : 0);
}

uint64_t
link_pass(struct link *l, size_t n, uint64_t now)
{
	if (l->bytes_per_s > 0) {
		/* A full piece says that more was waiting behind it: the link was
		 * not idle since, only this process was late. */
		uint64_t since = l->full && now > CATCH_UP_NS ? now - CATCH_UP_NS : now;
		uint64_t start = l->free_at_ns > since ? l->free_at_ns : since;
		l->full = n >= link_piece(l);
		l->free_at_ns = start + (uint64_t)((double)n / l->bytes_per_s * 1e9);
		now = l->free_at_ns;
	}
	return now + link_delay_ns(l);
}

uint64_t
link_opens_at(const struct link *l)
{
	return l->free_at_ns > AHEAD_NS ? l->free_at_ns - AHEAD_NS : 0;
}

bool
link_open(const struct link *l, uint64_t now)
{
	return link_opens_at(l) <= now;
}

size_t
link_piece(const struct link *l)
{
	if (l->bytes_per_s <= 0)
		return UNLIMITED_PIECE_BYTES;
	return clamp(l->bytes_per_s * PIECE_NS / 1e9, LEAST_PIECE_BYTES, MOST_PIECE_BYTES);
}

size_t
link_window(const struct link *l)
{
	uint64_t on_the_way_ns = l->latency_ns + l->jitter_ns;
	if (l->bytes_per_s <= 0)
		return on_the_way_ns ? UNLIMITED_WINDOW_BYTES : LEAST_WINDOW_BYTES;
	return clamp(2 * l->bytes_per_s * (double)(on_the_way_ns + AHEAD_NS) / 1e9, LEAST_WINDOW_BYTES, MOST_WINDOW_BYTES);
}

/* How many were written; 0 when `to` takes none now; -1: it is gone. */
static ssize_t
write_some(struct flow *f, const char *p, size_t n)
{
	ssize_t k;
	while ((k = send(f->to, p, n, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		continue;
	f->blocked = k < 0 ? errno == EAGAIN : (size_t)k < n;
	return k < 0 && f->blocked ? 0 : k;
}

static void
add_chunk(struct flow *f, const char *p, size_t n, uint64_t due)
{
	struct chunk *c = xmalloc(sizeof *c + n);
	*c = (struct chunk){.due_ns = due, .n = n};
	if (n)
		memcpy(c->bytes, p, n);
	if (f->last)
		f->last->next = c;
	else
		f->first = c;
	f->last = c;
	f->queued += n;
}

void
flow_say(struct flow *f, const char *p, size_t n, uint64_t now, uint64_t due)
{
	if (f->ended)
		return;
	if (due < f->last_due_ns)
		due = f->last_due_ns;
	f->last_due_ns = due;
	/* What need not wait is not copied; a failure is flow_write's to tell. */
	if (!f->first && due <= now && f->to >= 0 && !f->blocked) {
		ssize_t k = write_some(f, p, n);
		if (k > 0) {
			p += k;
			n -= (size_t)k;
		}
	}
	if (n)
		add_chunk(f, p, n, due);
}

void
flow_put(struct flow *f, const char *p, size_t n, uint64_t now, uint64_t extra_ns)
{
	if (f->ended || !n)
		return;
	*f->bytes += n;
	flow_say(f, p, n, now, link_pass(f->link, n, now) + extra_ns);
}

void
flow_end(struct flow *f, uint64_t now, bool reset)
{
	if (f->ended)
		return;
	uint64_t due = now + f->link->latency_ns;
	f->ended = true;
	f->reset = reset;
	add_chunk(f, NULL, 0, due > f->last_due_ns ? due : f->last_due_ns);
}

uint64_t
flow_due(const struct flow *f)
{
	return f->first && f->to >= 0 && !f->blocked ? f->first->due_ns : NEVER;
}

int
flow_write(struct flow *f, uint64_t now)
{
	while (flow_due(f) <= now) {
		struct chunk *c = f->first;
		ssize_t k = c->n ? write_some(f, c->bytes + c->at, c->n - c->at) : 0;
		if (k < 0 || (c->n == 0 && f->reset))
			return -1;
		c->at += (size_t)k;
		f->queued -= (size_t)k;
		if (c->at < c->n)
			continue;
		if (c->n == 0) {
			shutdown(f->to, SHUT_WR);
			f->done = true;
		}
		f->first = c->next;
		if (!f->first)
			f->last = NULL;
		free(c);
	}
	return 0;
}

void
flow_drop(struct flow *f)
{
	for (struct chunk *c = f->first, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	f->first = f->last = NULL;
	f->queued = 0;
	f->ended = f->done = true;
	f->blocked = false;
}
