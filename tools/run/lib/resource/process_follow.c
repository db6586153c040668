/* process_follow.c: which processes belong to a tree, and readings of them that agree: nothing is
 * lost or counted twice when one of them ends. */
#include "resource/process_follow.h"
#include "base/clock.h"
#include "base/die.h"
#include "resource/process_member.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

enum { MAX_PASSES = 16, MAX_GENERATIONS = 4096 };
/* What a fast reading may put off: see PT_FAST. */
static const uint64_t LIGHT_EVERY_NS = 195000000u, LIGHT_NS = 1000000u;

struct process_member *
process_follow_find(const struct process_tree *t, pid_t pid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->m[i].p.pid == pid)
			return &t->m[i];
	return NULL;
}

/* ---- which processes belong to the tree ------------------------------------------- */

bool
process_follow_is_inner(const struct process_tree *t, const struct process_stat *s)
{
	for (size_t i = 0; i < t->n_inner; i++)
		if (t->inner[i].pid == s->pid && t->inner[i].start == s->start_ticks)
			return true;
	return false;
}

bool
process_follow_is_free(pid_t pid)
{
	return kill(pid, 0) != 0 && errno == ESRCH;
}

static bool
is_ancestor(const struct process_tree *t, pid_t pid)
{
	for (size_t i = 0; i < t->n_above; i++)
		if (t->above[i] == pid)
			return true;
	return false;
}

/* A daemon that lost its parents between two readings is recognized by its environment.  An
 * ancestor of the root has adopted it, and its session is new: led by itself or by a process
 * that has ended. */
static bool
is_orphan(const struct process_tree *t, const struct process_stat *s)
{
	if (s->start_ticks < t->open_ticks || s->session == t->root_session ||
	    !is_ancestor(t, s->parent))
		return false;
	/* A process that an ancestor itself starts looks the same, but init starts none. */
	if (s->session == s->pid ? s->parent != 1 : !process_follow_is_free(s->session))
		return false;
	return new_processes_same_environment(&t->candidates, s->pid);
}

bool
process_follow_is_adopted(const struct process_tree *t, const struct process_stat *s)
{
	return t->adopter && s->parent == t->adopter && s->pid != t->not_adopted;
}

static bool
is_related(const struct process_tree *t, const struct process_stat *s)
{
	const struct new_processes *past = &t->candidates;
	return s->pid == t->root || process_follow_find(t, s->parent) ||
	    process_follow_find(t, s->group) || process_follow_find(t, s->session) ||
	    new_processes_was_member(past, s->group) ||
	    new_processes_was_member(past, s->session) ||
	    process_follow_is_adopted(t, s) || is_orphan(t, s);
}

static bool
accept_process(void *tree, struct process_stat *s)
{
	struct process_tree *t = tree;
	if (process_follow_find(t, s->pid))
		return false;
	/* This process itself and its child that asks the GPU are not followed either. */
	if (s->pid == getpid() ||
	    (s->parent == getpid() && s->pid != t->root && !process_follow_is_adopted(t, s)))
		return false;
	if (!is_related(t, s) || (s->pid == t->root && s->start_ticks != t->root_start))
		return false;
	const struct process_member *parent = process_follow_find(t, s->parent);
	bool excluded = (parent && parent->excluded) || process_follow_is_inner(t, s);
	struct process_member *m = XAPPEND(t->m, t->n);
	*m = (struct process_member){.p = *s, .based = PT_DELAY | PT_SWITCHES, .due = true,
		.excluded = excluded};
	if (s->start_ticks < t->open_ticks) {
		process_stat_read(&m->p, PT_FAST);
		process_member_start(m, 0);
	}
	return true;
}

/* ---- processes that have ended ------------------------------------------------------- */

/* The process that would have waited for it: its nearest living ancestor in the tree. */
static struct process_member *
find_heir(const struct process_tree *t, const struct process_member *m, size_t *steps)
{
	*steps = 1;
	struct process_member *a = process_follow_find(t, m->p.parent);
	while (a && a->p.gone && ++*steps < MAX_GENERATIONS)
		a = process_follow_find(t, a->p.parent);
	return a && !a->p.gone ? a : NULL;
}

/* Moves the numbers of an ended process to where the kernel added them.  Whether its heir waited
 * for it shows in the minor faults, of which every process has some. */
static void
settle_member(struct process_tree *t, struct process_member *m, struct process_member *a)
{
	uint64_t faults = process_member_total(m, C_MINOR);
	bool inherited = a && a->p.reaped[C_MINOR] - a->credited >= faults;
	for (enum counter k = 0; k < COUNTERS; k++) {
		if (!inherited || k >= C_INHERITED)
			t->departed[k] += m->excluded ? 0 : process_member_part(m, k);
		else if (m->excluded && !a->excluded)
			a->foreign[k] += process_member_total(m, k);
		else
			a->foreign[k] += m->first[k] + m->foreign[k];
	}
	if (inherited) {
		a->credited += faults;
		a->known_cpu += process_member_total(m, C_CPU);
	}
}

static void
settle_gone(struct process_tree *t)
{
	/* Children of live processes first: their own totals include what they inherited. */
	for (size_t far = 0; far < 2; far++)
		for (size_t i = 0; i < t->n; i++) {
			struct process_member *m = &t->m[i];
			size_t steps;
			struct process_member *a = m->p.gone ? find_heir(t, m, &steps) : NULL;
			if (m->p.gone && (steps > 1) == (far > 0))
				settle_member(t, m, a);
		}
	size_t kept = 0;
	for (size_t i = 0; i < t->n; i++) {
		if (t->m[i].p.gone) {
			t->mark_lost = t->mark_lost || !t->m[i].excluded;
			new_processes_note_ended(&t->candidates, t->m[i].p.pid);
			process_stat_close(&t->m[i].p);
		} else {
			t->m[kept++] = t->m[i];
		}
	}
	t->n = kept;
}

/* Whether its files may have changed.  A process that used less than a millisecond can wait a
 * while; its CPU time is in the sum already. */
static bool
is_due(struct process_member *m, uint64_t clock_ns, uint64_t now)
{
	if (clock_ns == m->p.own[C_CPU] && clock_ns == m->p.clock_ns)
		return false;
	if (clock_ns < m->p.own[C_CPU])
		return true;
	if (clock_ns - m->p.clock_ns >= LIGHT_NS || now - m->read_ns >= LIGHT_EVERY_NS)
		return true;	/* the id may belong to another process now: the files show it */
	m->p.own[C_CPU] = clock_ns;
	return false;
}

static void
on_member_gone(struct process_tree *t, struct process_member *m)
{
	size_t steps;
	m->p.gone = true;
	m->due = false;
	struct process_member *a = find_heir(t, m, &steps);
	if (a)
		a->due = true;
	for (size_t k = 0; k < t->n; k++)
		if (t->m[k].p.parent == m->p.pid)
			t->m[k].due = true;	/* its parent has changed */
}

/* Marks the members whose files must be read.  Reads every CPU clock: time that is noticed late
 * would appear in too short an interval, as more than all cores.  Returns how many have ended. */
static size_t
probe_clocks(struct process_tree *t, bool all, uint64_t now)
{
	size_t gone = 0;
	for (size_t i = 0; i < t->n; i++) {
		struct process_member *m = &t->m[i];
		uint64_t ns;
		if (m->p.gone && !m->due)
			continue;
		if (!m->p.gone && process_stat_clock(&m->p, &ns)) {
			m->probed_cpu_ns = ns;
			m->due = is_due(m, ns, now) || m->due || all;
		} else {
			on_member_gone(t, m);
			gone++;
		}
	}
	return gone;
}

/* Reads the marked members; false if one of them ended, or waited for a child that may have been
 * read as live. */
static bool
read_due(struct process_tree *t, int what, uint64_t now)
{
	bool stable = true;
	for (size_t i = 0; i < t->n; i++) {
		struct process_member *m = &t->m[i];
		if (m->p.gone || !m->due)
			continue;
		uint64_t reaped = m->p.reaped[C_MINOR];
		process_member_read(m, what, now, m->p.pid == t->root);
		m->due = m->p.gone;	/* the next probe_clocks() finds its heir */
		stable = stable && !m->p.gone && reaped == m->p.reaped[C_MINOR];
	}
	return stable;
}

void
process_follow_new(struct process_tree *t)
{
	new_processes_find(&t->candidates, accept_process, t);
}

/* Repeats until no process ended between the reading of its parent and the end of the pass,
 * because it would be counted twice or not at all. */
void
process_follow_read(struct process_tree *t, int what, bool all)
{
	uint64_t now = clock_monotonic_ns();
	bool stable = false;
	for (int pass = 0; pass < MAX_PASSES && !stable; pass++) {
		size_t gone = probe_clocks(t, all && pass == 0, now);
		if (pass && !gone)
			break;
		stable = read_due(t, what, now) && !gone;
	}
	settle_gone(t);
}
