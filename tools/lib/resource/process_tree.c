/* process_tree.c: what a process and all its descendants used.
 * Totals cover live processes (including children that they have waited for) plus ended
 * processes that nothing in the tree waited for, so nothing is lost or counted twice. */
#include "resource/process_tree.h"
#include "base/clock.h"
#include "base/nbscope.h"
#include "base/die.h"
#include "resource/process_tree_state.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_PASSES = 16, MAX_GENERATIONS = 4096 };
/* What a fast reading may put off: see PT_FAST. */
static const uint64_t WHOLE_EVERY_NS = 5000000000u, THREADS_EVERY_NS = 95000000u;
static const uint64_t LIGHT_EVERY_NS = 195000000u, LIGHT_NS = 1000000u;

static struct process_member *
find_member(const struct process_tree *t, pid_t pid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->m[i].p.pid == pid)
			return &t->m[i];
	return NULL;
}

/* ---- one member ------------------------------------------------------------------ */

/* Own and inherited, since its start. */
static uint64_t
member_total(const struct process_member *m, enum counter k)
{
	uint64_t inherited = m->p.reaped[k];
	/* The kernel counts ticks of 10 ms, rounded down: what the children showed may be more. */
	if (k == C_CPU && m->first_reaped_cpu + m->known_cpu > inherited)
		inherited = m->first_reaped_cpu + m->known_cpu;
	return m->p.own[k] + inherited;
}

/* Its part of the tree's sum: since it joined. */
static uint64_t
member_part(const struct process_member *m, enum counter k)
{
	uint64_t all = member_total(m, k), less = m->first[k] + m->foreign[k];
	return all > less ? all - less : 0;
}

static void
set_first(struct process_member *m, int based)
{
	for (enum counter k = 0; k < C_INHERITED; k++)
		m->first[k] = m->p.own[k] + m->p.reaped[k];
	m->first_reaped_cpu = m->p.reaped[C_CPU];
	m->credited = m->p.reaped[C_MINOR];
	m->based = based;
}

static void
read_member(struct process_member *m, int what, uint64_t now, bool is_root)
{
	if (!(what & PT_WHOLE) && !is_root) {
		/* Without CPU time since then its run-queue wait has not changed either. */
		if (now - m->threads_ns < THREADS_EVERY_NS || m->probed_cpu_ns == m->threads_cpu_ns)
			what &= ~PT_DELAY;
		what |= PT_RESTING;
	}
	process_stat_read(&m->p, what);
	if (what & PT_DELAY) {
		m->threads_ns = now;
		m->threads_cpu_ns = m->p.clock_ns;
	}
	m->read_ns = now;
	if (what & ~m->based & PT_DELAY) {
		m->first[C_DELAY] = m->p.own[C_DELAY];
		m->first[C_SWITCHES] = m->p.own[C_SWITCHES];
	}
	if (what & ~m->based & PT_SWITCHES) {
		m->first[C_VOLUNTARY] = m->p.own[C_VOLUNTARY];
		m->first[C_INVOLUNTARY] = m->p.own[C_INVOLUNTARY];
	}
	m->based |= what & (PT_DELAY | PT_SWITCHES);
}

/* ---- which processes belong to the tree ------------------------------------------- */

static bool
is_inner(const struct process_tree *t, const struct process_stat *s)
{
	for (size_t i = 0; i < t->n_inner; i++)
		if (t->inner[i].pid == s->pid && t->inner[i].start == s->start_ticks)
			return true;
	return false;
}

static bool
is_free_id(pid_t pid)
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
	if (s->session == s->pid ? s->parent != 1 : !is_free_id(s->session))
		return false;
	return new_processes_same_environment(&t->candidates, s->pid);
}

static bool
is_adopted(const struct process_tree *t, const struct process_stat *s)
{
	return t->adopter && s->parent == t->adopter && s->pid != t->not_adopted;
}

static bool
is_related(const struct process_tree *t, const struct process_stat *s)
{
	const struct new_processes *past = &t->candidates;
	return s->pid == t->root || find_member(t, s->parent) || find_member(t, s->group) ||
	    find_member(t, s->session) || new_processes_was_member(past, s->group) ||
	    new_processes_was_member(past, s->session) || is_adopted(t, s) || is_orphan(t, s);
}

static bool
accept_process(void *tree, struct process_stat *s)
{
	struct process_tree *t = tree;
	if (find_member(t, s->pid))
		return false;
	/* Nor this process itself, nor its child that asks the GPU. */
	if (s->pid == getpid() || (s->parent == getpid() && s->pid != t->root && !is_adopted(t, s)))
		return false;
	if (!is_related(t, s) || (s->pid == t->root && s->start_ticks != t->root_start))
		return false;
	t->m = xgrow(t->m, t->n, &t->cap, sizeof *t->m);
	const struct process_member *parent = find_member(t, s->parent);
	struct process_member *m = &t->m[t->n++];
	*m = (struct process_member){.p = *s, .based = PT_DELAY | PT_SWITCHES, .due = true};
	m->excluded = (parent && parent->excluded) || is_inner(t, s);
	if (s->start_ticks < t->open_ticks) {
		process_stat_read(&m->p, PT_FAST);
		set_first(m, 0);
	}
	return true;
}

/* ---- processes that have ended ------------------------------------------------------- */

/* The process that would have waited for it: its nearest living ancestor in the tree. */
static struct process_member *
find_heir(const struct process_tree *t, const struct process_member *m, size_t *steps)
{
	*steps = 1;
	struct process_member *a = find_member(t, m->p.parent);
	while (a && a->p.gone && ++*steps < MAX_GENERATIONS)
		a = find_member(t, a->p.parent);
	return a && !a->p.gone ? a : NULL;
}

/* Moves the numbers of an ended process to where the kernel added them.  Whether its heir waited
 * for it shows in the minor faults, of which every process has some. */
static void
settle_member(struct process_tree *t, struct process_member *m, struct process_member *a)
{
	uint64_t faults = member_total(m, C_MINOR);
	bool inherited = a && a->p.reaped[C_MINOR] - a->credited >= faults;
	for (enum counter k = 0; k < COUNTERS; k++) {
		if (!inherited || k >= C_INHERITED)
			t->departed[k] += m->excluded ? 0 : member_part(m, k);
		else if (m->excluded && !a->excluded)
			a->foreign[k] += member_total(m, k);
		else
			a->foreign[k] += m->first[k] + m->foreign[k];
	}
	if (inherited) {
		a->credited += faults;
		a->known_cpu += member_total(m, C_CPU);
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
		read_member(m, what, now, m->p.pid == t->root);
		m->due = m->p.gone;	/* the next probe_clocks() finds its heir */
		stable = stable && !m->p.gone && reaped == m->p.reaped[C_MINOR];
	}
	return stable;
}

/* Repeats until no process ended between the reading of its parent and the end of the pass,
 * because it would be counted twice or not at all. */
static void
read_members(struct process_tree *t, int what, bool all)
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

/* ---- the tree ------------------------------------------------------------------------ */

static void
add_unknown(struct process_usage *u, const struct process_stat *s)
{
	if (s->unknown && !u->unknown)
		memcpy(u->reason, s->reason, sizeof u->reason);
	u->unknown |= s->unknown;
}

static void
sum_members(struct process_tree *t, uint64_t sum[COUNTERS], struct process_usage *u)
{
	memcpy(sum, t->departed, sizeof t->departed);
	u->ended = true;
	for (size_t i = 0; i < t->n; i++) {
		const struct process_member *m = &t->m[i];
		if (m->excluded)
			continue;
		for (enum counter k = 0; k < COUNTERS; k++)
			sum[k] += member_part(m, k);
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
	if (u->rss_bytes > t->peak_rss)
		t->peak_rss = u->rss_bytes;
}

/* Waits for adopted processes that have ended and been read; the root is left to its parent. */
static void
reap_adopted(const struct process_tree *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->m[i].p.zombie && is_adopted(t, &t->m[i].p) && t->m[i].p.pid != t->root)
			waitpid(t->m[i].p.pid, NULL, WNOHANG);
}

void
process_tree_read(struct process_tree *t, int what, struct process_usage *u)
{
	uint64_t now = clock_monotonic_ns(), sum[COUNTERS];
	*u = (struct process_usage){0};
	new_processes_find(&t->candidates, accept_process, t);
	bool all = what & (PT_WHOLE | PT_PSS | PT_SWITCHES) || now - t->whole_ns >= WHOLE_EVERY_NS;
	if (all)
		t->whole_ns = now;
	read_members(t, what, all);
	sum_members(t, sum, u);
	reap_adopted(t);
	u->cpu_ns = t->high[C_CPU];
	u->delay_ns = t->high[C_DELAY];
	u->switches = t->high[C_SWITCHES];
	u->switches_voluntary = t->high[C_VOLUNTARY];
	u->switches_involuntary = t->high[C_INVOLUNTARY];
	u->minor_faults = t->high[C_MINOR];
	u->major_faults = t->high[C_MAJOR];
	u->read_bytes = t->high[C_READ];
	u->write_bytes = t->high[C_WRITE];
	u->syscall_read_bytes = t->high[C_SYSREAD];
	u->syscall_write_bytes = t->high[C_SYSWRITE];
	u->read_calls = t->high[C_READCALLS];
	u->write_calls = t->high[C_WRITECALLS];
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
	if (root <= 0 || is_free_id(root)) {
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
	t->inner = xgrow(t->inner, t->n_inner, &t->cap_inner, sizeof *t->inner);
	t->inner[t->n_inner].pid = inner->root;
	t->inner[t->n_inner++].start = inner->root_start;
	/* Members are in the order of their age, so a parent is marked before its children. */
	for (size_t i = 0; i < t->n; i++) {
		struct process_member *m = &t->m[i];
		const struct process_member *parent = find_member(t, m->p.parent);
		if (m->excluded || !(is_inner(t, &m->p) || (parent && parent->excluded)))
			continue;
		for (enum counter k = 0; k < COUNTERS; k++)
			t->departed[k] += member_part(m, k);
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
