/* flow.c: the bytes of one direction of a connection, in flight over a link. */
#include "flow.h"
#include "base/die.h"

#include <errno.h>
#include <sys/socket.h>

struct flow_chunk {
	struct flow_chunk *next;
	uint64_t due_ns;
	size_t n, written;	/* n is 0: the end of the flow */
	char bytes[];
};

/* Returns how many bytes were written; 0 if `to` accepts none now; -1: it is gone. */
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
append_chunk(struct flow *f, const char *p, size_t n, uint64_t due_ns)
{
	struct flow_chunk *c = xmalloc(sizeof *c + n);
	*c = (struct flow_chunk){.due_ns = due_ns, .n = n};
	if (n)
		memcpy(c->bytes, p, n);
	if (f->last)
		f->last->next = c;
	else
		f->first = c;
	f->last = c;
	f->queued_bytes += n;
}

void
flow_answer(struct flow *f, const char *p, size_t n, uint64_t now, uint64_t due_ns)
{
	if (f->ended)
		return;
	if (due_ns < f->last_due_ns)
		due_ns = f->last_due_ns;
	f->last_due_ns = due_ns;
	/* What is due already is not copied; flow_write() reports a failure. */
	if (!f->first && due_ns <= now && f->to >= 0 && !f->blocked) {
		ssize_t k = write_some(f, p, n);
		if (k > 0) {
			p += k;
			n -= (size_t)k;
		}
	}
	if (n)
		append_chunk(f, p, n, due_ns);
}

void
flow_send(struct flow *f, const char *p, size_t n, uint64_t now, uint64_t extra_ns)
{
	if (!f->ended && n)
		flow_answer(f, p, n, now, link_send(f->link, n, now) + extra_ns);
}

void
flow_end(struct flow *f, uint64_t now, bool reset)
{
	if (f->ended)
		return;
	uint64_t due_ns = now + f->link->latency_ns;
	f->ended = true;
	f->reset = reset;
	append_chunk(f, NULL, 0, due_ns > f->last_due_ns ? due_ns : f->last_due_ns);
}

uint64_t
flow_due_ns(const struct flow *f)
{
	return f->first && f->to >= 0 && !f->blocked ? f->first->due_ns : NEVER;
}

int
flow_write(struct flow *f, uint64_t now)
{
	while (flow_due_ns(f) <= now) {
		struct flow_chunk *c = f->first;
		ssize_t k = c->n ? write_some(f, c->bytes + c->written, c->n - c->written) : 0;
		if (k < 0 || (c->n == 0 && f->reset))
			return -1;
		c->written += (size_t)k;
		f->queued_bytes -= (size_t)k;
		if (c->written < c->n)
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
	for (struct flow_chunk *c = f->first, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	f->first = f->last = NULL;
	f->queued_bytes = 0;
	f->ended = f->done = true;
	f->blocked = false;
}
