/* peak_rss.c: the highest RSS of a process tree since a moment.
 * Linux keeps a high-water mark for each process.  The sum of the marks bounds the tree's peak
 * from above; one mark plus what the others held bounds it from below.  Between two cells only
 * few processes change, and mostly the bounds meet. */
#include "record/peak_rss.h"

#include <errno.h>

enum { EXACT_WITHIN = 100 };	/* one part in */

int
peak_rss_reset(struct process_tree *t)
{
	int failed = 0, reason = 0;
	struct process_usage u;
	for (size_t i = 0; i < t->n; i++) {
		const struct process_stat *s = &t->m[i].p;
		if (!t->m[i].excluded && process_stat_reset_peak(s) != 0 && s->pid == t->root) {
			failed = -1;
			reason = errno;
		}
	}
	t->peak_rss = 0;
	t->mark_lost = false;
	process_tree_read(t, PT_WHOLE, &u);
	for (size_t i = 0; i < t->n; i++) {
		t->m[i].mark_rss = t->m[i].p.rss_bytes;
		t->m[i].mark_reaped = t->m[i].p.reaped[C_MINOR];
	}
	errno = reason;
	return failed;
}

/* What a process held all along, judging by its two ends. */
static uint64_t
held_bytes(const struct process_member *m)
{
	return m->mark_rss < m->p.rss_bytes ? m->mark_rss : m->p.rss_bytes;
}

int
peak_rss_read(struct process_tree *t, uint64_t *bytes, const char **method)
{
	struct process_usage u;
	process_tree_read(t, PT_WHOLE, &u);
	uint64_t above = 0, below = 0, all_held = 0;
	size_t seen = 0;
	bool lost = t->mark_lost;
	for (size_t i = 0; i < t->n; i++)
		all_held += t->m[i].excluded ? 0 : held_bytes(&t->m[i]);
	for (size_t i = 0; i < t->n; i++) {
		uint64_t mark;
		const struct process_member *m = &t->m[i];
		if (m->excluded || m->p.zombie || !m->p.owns_memory ||
		    process_stat_peak(&m->p, &mark) != 0)
			continue;
		seen++;
		lost = lost || m->p.reaped[C_MINOR] != m->mark_reaped;
		above += mark;
		if (mark + all_held - held_bytes(m) > below)
			below = mark + all_held - held_bytes(m);
	}
	if (!seen && !t->peak_rss) {
		*method = "none of its processes is alive";
		return -1;
	}
	if (t->peak_rss > below)
		below = t->peak_rss;
	*bytes = below;
	*method = seen && above <= below + below / EXACT_WITHIN && !lost ? "vmhwm" : "sampled";
	return 0;
}
