/* process_tree.c: what a process and all its descendants used.
 * Totals cover live processes (including children that they have waited for) plus ended
 * processes that nothing in the tree waited for, so nothing is lost or counted twice. */
#include "resource/process_tree.h"
#include "base/clock.h"
#include "base/die.h"
#include "resource/process_follow.h"
#include "resource/process_member.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What a fast reading may put off: see PT_FAST. */
static const uint64_t WHOLE_EVERY_NS = 5000000000u;

static void
add_unknown(struct process_usage *u, const struct process_stat *s)
{
	if (s->unknown && !u->unknown)
		memcpy(u->reason, s->reason, sizeof u->reason);
	u->unknown |= s->unknown;
}

static void
sum_members(struct process_tree *t, struct process_usage *u)
{
	uint64_t sum[COUNTERS];
	memcpy(sum, t->departed, sizeof t->departed);
	u->ended = true;
	for (size_t i = 0; i < t->n; i++) {
		const struct process_member *m = &t->m[i];
		if (m->excluded)
			continue;
		for (enum counter k = 0; k < COUNTERS; k++)
			sum[k] += process_member_part(m, k);
		u->rss_bytes += m->p.rss_bytes;
		u->anon_bytes += m->p.anon_bytes;
		u->pss_bytes += m->p.pss_bytes;
		add_unknown(u, &m->p);
		if (m->p.zombie)
			continue;
		u->processes++;
		u->threads += m->p.num_threads;
		u->ended = false;
	}
	for (enum counter k = 0; k < COUNTERS; k++)
		if (sum[k] > t->high[k])
			t->high[k] = sum[k];
	memcpy(u->sum, t->high, sizeof u->sum);
	if (u->rss_bytes > t->peak_rss)
		t->peak_rss = u->rss_bytes;
}

/* Waits for adopted processes that have ended and been read; the root is left to its parent. */
static void
reap_adopted(const struct process_tree *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->m[i].p.zombie && process_follow_is_adopted(t, &t->m[i].p) &&
		    t->m[i].p.pid != t->root)
			waitpid(t->m[i].p.pid, NULL, WNOHANG);
}

void
process_tree_read(struct process_tree *t, int what, struct process_usage *u)
{
	uint64_t now = clock_monotonic_ns();
	*u = (struct process_usage){0};
	process_follow_new(t);
	bool all = what & (PT_WHOLE | PT_PSS | PT_SWITCHES) || now - t->whole_ns >= WHOLE_EVERY_NS;
	if (all)
		t->whole_ns = now;
	process_follow_read(t, what, all);
	sum_members(t, u);
	reap_adopted(t);
}

static void
note_ancestors(struct process_tree *t, const struct process_stat *root)
{
	struct process_stat s = {.parent = root->parent};
	t->above[0] = s.parent;
	t->above[1] = 1;	/* init, which adopts orphans */
	t->n_above = 2;
	while (t->n_above < COUNT(t->above) && s.parent > 1 && process_stat_open(&s, s.parent)) {
		process_stat_close(&s);
		t->above[t->n_above++] = s.parent;
	}
}

struct process_tree *
process_tree_open(pid_t root, char error[256])
{
	struct process_stat s;
	if (root <= 0 || process_follow_is_free(root)) {
		snprintf(error, 256, "there is no process %ld", (long)root);
		return NULL;
	}
	if (!process_stat_open(&s, root)) {
		snprintf(error, 256, "cannot read process %ld: it is hidden, or only a thread",
		    (long)root);
		return NULL;
	}
	if (s.zombie || root == getpid()) {
		snprintf(error, 256, s.zombie ?
		    "process %ld has ended, and its parent has not waited for it (zombie)" :
		    "process %ld is the program that samples", (long)root);
		process_stat_close(&s);
		return NULL;
	}
	s.owns_memory = true;	/* even if it shares it */
	struct timespec up;
	clock_gettime(CLOCK_BOOTTIME, &up);
	struct process_tree *t = xmalloc(sizeof *t);
	uint64_t hz = (uint64_t)sysconf(_SC_CLK_TCK);
	*t = (struct process_tree){
		.root = root, .root_session = s.session, .root_start = s.start_ticks,
		.open_ticks = (uint64_t)up.tv_sec * hz + (uint64_t)up.tv_nsec * hz / 1000000000u,
	};
	note_ancestors(t, &s);
	process_stat_close(&s);
	new_processes_open(&t->candidates, root);
	struct process_usage u;
	process_tree_read(t, PT_DELAY | PT_WHOLE, &u);
	return t;
}

void
process_tree_adopt(struct process_tree *t, pid_t except)
{
	t->adopter = prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 ? getpid() : 0;
	t->not_adopted = except;
}

void
process_tree_exclude(struct process_tree *t, const struct process_tree *inner)
{
	*XAPPEND(t->inner, t->n_inner) = (struct inner_root){inner->root, inner->root_start};
	/* Members are in the order of their age, so a parent is marked before its children. */
	for (size_t i = 0; i < t->n; i++) {
		struct process_member *m = &t->m[i];
		const struct process_member *parent = process_follow_find(t, m->p.parent);
		if (m->excluded ||
		    !(process_follow_is_inner(t, &m->p) || (parent && parent->excluded)))
			continue;
		for (enum counter k = 0; k < COUNTERS; k++)
			t->departed[k] += process_member_part(m, k);
		m->excluded = true;
	}
}

void
process_tree_close(struct process_tree *t)
{
	for (size_t i = 0; i < t->n; i++)
		process_stat_close(&t->m[i].p);
	new_processes_close(&t->candidates);
	free(t->m);
	free(t->inner);
	free(t);
}
