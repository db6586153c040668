/* proctreepeak.c: the highest RSS of a tree since a moment.
 *
 * Linux keeps a high-water mark for each process alone.  The sum of the marks is
 * a bound from above, one mark and what the others held from below; between two
 * cells only few processes move, and the bounds mostly meet.
 */
#include "nbscope.h"
#include "proctreeone.h"

#include <errno.h>
#include <string.h>

enum { EXACT_WITHIN = 100 };	/* 1 part of */

int
proctree_reset_peak(struct proctree *t)
{
	int failed = 0, reason = 0;
	struct proc_usage u;
	for (size_t i = 0; i < t->n; i++)
		if (!t->m[i].excluded && one_reset_mark(&t->m[i].p) != 0 && t->m[i].p.pid == t->root) {
			failed = -1;
			reason = errno;
		}
	t->peak_rss = 0;
	t->mark_lost = false;
	proctree_read(t, PT_WHOLE, &u);
	for (size_t i = 0; i < t->n; i++) {
		t->m[i].mark_rss = t->m[i].p.rss_bytes;
		t->m[i].mark_reaped = t->m[i].p.reaped[C_MINOR];
	}
	errno = reason;
	return failed;
}

/* What a process held all along, as far as its two ends tell. */
static uint64_t
held(const struct member *m)
{
	return m->mark_rss < m->p.rss_bytes ? m->mark_rss : m->p.rss_bytes;
}

int
proctree_peak(struct proctree *t, uint64_t *bytes, const char **method)
{
	struct proc_usage u;
	proctree_read(t, PT_WHOLE, &u);
	uint64_t above = 0, below = 0, all_held = 0;
	size_t seen = 0;
	bool lost = t->mark_lost;
	for (size_t i = 0; i < t->n; i++)
		all_held += t->m[i].excluded ? 0 : held(&t->m[i]);
	for (size_t i = 0; i < t->n; i++) {
		uint64_t mark;
		if (t->m[i].excluded || t->m[i].p.zombie || !t->m[i].p.owns || one_mark(&t->m[i].p, &mark) != 0)
			continue;
		seen++;
		lost = lost || t->m[i].p.reaped[C_MINOR] != t->m[i].mark_reaped;
		above += mark;
		if (mark + all_held - held(&t->m[i]) > below)
			below = mark + all_held - held(&t->m[i]);
	}
	if (!seen && !t->peak_rss) {
		*method = "no process of it lives any more";
		return -1;
	}
	if (t->peak_rss > below)
		below = t->peak_rss;
	*bytes = below;
	*method = seen && above <= below + below / EXACT_WITHIN && !lost ? "vmhwm" : "sampled";
	return 0;
}
