/* proctree.c: what a process and all its descendants used.
 *
 * Each sum is that of the living (their own, and what the kernel gave them of
 * the children that they waited for) and of the departed whom nobody of the tree
 * waited for.  So nothing is lost or counted twice when a process ends.
 */
#include "nbscope.h"
#include "proctreeone.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PASSES = 16, MOST_GENERATIONS = 4096 };
/* What a quick reading puts off: see PT_FAST. */
static const uint64_t WHOLE_EVERY_NS = 5000000000u, THREADS_EVERY_NS = 95000000u, LIGHT_EVERY_NS = 195000000u, LIGHT_NS = 1000000u;

static struct member *
find(const struct proctree *t, pid_t pid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->m[i].p.pid == pid)
			return &t->m[i];
	return NULL;
}

/* ---- what one of them counts ----------------------------------------------------- */

/* Own and inherited, from the beginning of its life. */
static uint64_t
whole(const struct member *m, enum counter k)
{
	uint64_t inherited = m->p.reaped[k];
	/* The kernel tells 10 ms ticks, rounded down: what we saw may be more. */
	if (k == C_CPU && m->first_reaped_cpu + m->known_cpu > inherited)
		inherited = m->first_reaped_cpu + m->known_cpu;
	return m->p.own[k] + inherited;
}

/* Since it joined. */
static uint64_t
part(const struct member *m, enum counter k)
{
	uint64_t all = whole(m, k), less = m->first[k] + m->foreign[k];
	return all > less ? all - less : 0;
}

static void
set_first(struct member *m, int based)
{
	for (enum counter k = 0; k < C_INHERITED; k++)
		m->first[k] = m->p.own[k] + m->p.reaped[k];
	m->first_reaped_cpu = m->p.reaped[C_CPU];
	m->credited = m->p.reaped[C_MINOR];
	m->based = based;
}

static void
look_at(struct member *m, int what, uint64_t now, bool is_root)
{
	if (!(what & PT_WHOLE) && !is_root) {
		/* Who got no core since has waited for none that we would see. */
		if (now - m->threads_ns < THREADS_EVERY_NS || m->probed_cpu_ns == m->threads_cpu_ns)
			what &= ~PT_DELAY;
		what |= PT_RESTING;
	}
	one_read(&m->p, what);
	if (what & PT_DELAY) {
		m->threads_ns = now;
		m->threads_cpu_ns = m->p.clock_ns;
	}
	m->looked_ns = now;
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

/* ---- who belongs to it -------------------------------------------------------------- */

static bool
is_inner(const struct proctree *t, const struct one *o)
{
	for (size_t i = 0; i < t->n_inner; i++)
		if (t->inner[i].pid == o->pid && t->inner[i].start == o->start_ticks)
			return true;
	return false;
}

static bool
nobody_has(pid_t pid)
{
	return kill(pid, 0) != 0 && errno == ESRCH;
}

static bool
is_ancestor(const struct proctree *t, pid_t pid)
{
	for (size_t i = 0; i < t->n_above; i++)
		if (t->above[i] == pid)
			return true;
	return false;
}

/* Of a daemon that lost its parents between two looks only its environment
 * still tells.  An ancestor of the root has adopted it; its session is new, led
 * by one who is gone or by itself. */
static bool
is_orphan(const struct proctree *t, const struct one *o)
{
	if (o->start_ticks < t->open_ticks || o->session == t->root_session || !is_ancestor(t, o->parent))
		return false;
	/* What an ancestor itself starts looks the same; init starts nothing of the kind. */
	if (o->session == o->pid ? o->parent != 1 : !nobody_has(o->session))
		return false;
	return born_same_environment(&t->born, o->pid);
}

static bool
is_adopted(const struct proctree *t, const struct one *o)
{
	return t->adopter && o->parent == t->adopter && o->pid != t->not_adopted;
}

static bool
take(void *tree, struct one *o)
{
	struct proctree *t = tree;
	struct member *parent = find(t, o->parent);
	if (find(t, o->pid))
		return false;
	/* Nor are we, and who asks the GPU for us. */
	if (o->pid == getpid() || (o->parent == getpid() && o->pid != t->root && !is_adopted(t, o)))
		return false;
	if (!parent && o->pid != t->root && !find(t, o->group) && !find(t, o->session) &&
	    !born_was_ours(&t->born, o->group) && !born_was_ours(&t->born, o->session) && !is_adopted(t, o) && !is_orphan(t, o))
		return false;
	if (o->pid == t->root && o->start_ticks != t->root_start)
		return false;
	if (t->n == t->cap)
		t->m = xrealloc(t->m, (t->cap = t->cap ? t->cap * 2 : 32) * sizeof *t->m);
	parent = find(t, o->parent);
	struct member *m = &t->m[t->n++];
	*m = (struct member){.p = *o, .based = PT_DELAY | PT_SWITCHES, .look = true};
	m->excluded = (parent && parent->excluded) || is_inner(t, o);
	if (o->start_ticks < t->open_ticks) {
		one_read(&m->p, PT_FAST);
		set_first(m, 0);
	}
	return true;
}

/* ---- who is gone ------------------------------------------------------------------------ */

/* Who would have waited for it: its nearest living ancestor in the tree. */
static struct member *
heir(const struct proctree *t, const struct member *m, size_t *steps)
{
	*steps = 1;
	struct member *a = find(t, m->p.parent);
	while (a && a->p.gone && ++*steps < MOST_GENERATIONS)
		a = find(t, a->p.parent);
	return a && !a->p.gone ? a : NULL;
}

/* Gives what a departed one counted to whom the kernel gave it: minor faults, of
 * which every process has some, tell whether it did. */
static void
settle(struct proctree *t, struct member *m, struct member *a)
{
	uint64_t faults = whole(m, C_MINOR);
	bool inherited = a && a->p.reaped[C_MINOR] - a->credited >= faults;
	for (enum counter k = 0; k < COUNTERS; k++) {
		if (!inherited || k >= C_INHERITED)
			t->departed[k] += m->excluded ? 0 : part(m, k);
		else
			a->foreign[k] += m->excluded && !a->excluded ? whole(m, k) : m->first[k] + m->foreign[k];
	}
	if (inherited) {
		a->credited += faults;
		a->known_cpu += whole(m, C_CPU);
	}
}

static void
settle_gone(struct proctree *t)
{
	/* Children of the living first: they took what they had inherited along. */
	for (size_t far = 0; far < 2; far++)
		for (size_t i = 0; i < t->n; i++) {
			size_t steps;
			struct member *a = t->m[i].p.gone ? heir(t, &t->m[i], &steps) : NULL;
			if (t->m[i].p.gone && (steps > 1) == (far > 0))
				settle(t, &t->m[i], a);
		}
	size_t kept = 0;
	for (size_t i = 0; i < t->n; i++) {
		if (t->m[i].p.gone) {
			t->mark_lost = t->mark_lost || !t->m[i].excluded;
			born_gone(&t->born, t->m[i].p.pid);
			one_close(&t->m[i].p);
		} else {
			t->m[kept++] = t->m[i];
		}
	}
	t->n = kept;
}

/* Whether its files may say something new. One that used less than a
 * millisecond can wait a while; its CPU is in the sum already. */
static bool
is_due(struct member *m, uint64_t clock_ns, uint64_t now)
{
	if (clock_ns == m->p.own[C_CPU] && clock_ns == m->p.clock_ns)
		return false;
	if (clock_ns < m->p.own[C_CPU])
		return true;
	if (clock_ns - m->p.clock_ns >= LIGHT_NS || now - m->looked_ns >= LIGHT_EVERY_NS)
		return true;	/* it may be another process's of the same id: its files will tell */
	m->p.own[C_CPU] = clock_ns;
	return false;
}

static void
is_gone(struct proctree *t, struct member *m)
{
	size_t steps;
	m->p.gone = true;
	m->look = false;
	struct member *a = heir(t, m, &steps);
	if (a)
		a->look = true;
	for (size_t k = 0; k < t->n; k++)
		if (t->m[k].p.parent == m->p.pid)
			t->m[k].look = true;	/* it has another parent now */
}

/* Marks those whose files must be read.  Every clock is asked: CPU that is seen
 * late would stand in too short an interval, as more than all cores.  Returns
 * how many are newly gone. */
static size_t
probe(struct proctree *t, bool all, uint64_t now)
{
	size_t gone = 0;
	for (size_t i = 0; i < t->n; i++) {
		struct member *m = &t->m[i];
		uint64_t ns;
		if (m->p.gone && !m->look)
			continue;
		if (!m->p.gone && one_clock(&m->p, &ns)) {
			m->probed_cpu_ns = ns;
			m->look = is_due(m, ns, now) || m->look || all;
		} else {
			is_gone(t, m);
			gone++;
		}
	}
	return gone;
}

/* Reads those that are marked; false when one of them ended or waited for a
 * child, who may have been read as living. */
static bool
look_at_marked(struct proctree *t, int what, uint64_t now)
{
	bool quiet = true;
	for (size_t i = 0; i < t->n; i++) {
		struct member *m = &t->m[i];
		if (m->p.gone || !m->look)
			continue;
		uint64_t reaped = m->p.reaped[C_MINOR];
		look_at(m, what, now, m->p.pid == t->root);
		m->look = m->p.gone;	/* the next probe tells its heir */
		quiet = quiet && !m->p.gone && reaped == m->p.reaped[C_MINOR];
	}
	return quiet;
}

/* Reads until nobody ended between the reading of his parent and the end of it:
 * he would be counted twice, or not at all. */
static void
look_at_all(struct proctree *t, int what, bool all)
{
	uint64_t now = now_ns();
	bool quiet = false;
	for (int pass = 0; pass < MOST_PASSES && !quiet; pass++) {
		size_t gone = probe(t, all && pass == 0, now);
		if (pass && !gone)
			break;
		quiet = look_at_marked(t, what, now) && !gone;
	}
	settle_gone(t);
}

/* ---- the whole --------------------------------------------------------------------------- */

static void
add_unknown(struct proc_usage *u, const struct one *o)
{
	if (o->unknown && !u->unknown)
		memcpy(u->reason, o->reason, sizeof u->reason);
	u->unknown |= o->unknown;
}

static void
add_up(struct proctree *t, uint64_t sum[COUNTERS], struct proc_usage *u)
{
	memcpy(sum, t->departed, sizeof t->departed);
	u->ended = true;
	for (size_t i = 0; i < t->n; i++) {
		const struct member *m = &t->m[i];
		if (m->excluded)
			continue;
		for (enum counter k = 0; k < COUNTERS; k++)
			sum[k] += part(m, k);
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
	u->peak_rss_bytes = t->peak_rss;
}

/* Who ended and was read in full may go; the root's end is its caller's. */
static void
bury_adopted(const struct proctree *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->m[i].p.zombie && is_adopted(t, &t->m[i].p) && t->m[i].p.pid != t->root)
			waitpid(t->m[i].p.pid, NULL, WNOHANG);
}

int
proctree_read(struct proctree *t, int what, struct proc_usage *u)
{
	uint64_t now = now_ns(), sum[COUNTERS];
	*u = (struct proc_usage){0};
	born_look(&t->born, take, t);
	bool all = what & (PT_WHOLE | PT_PSS | PT_SWITCHES) || now - t->whole_ns >= WHOLE_EVERY_NS;
	if (all)
		t->whole_ns = now;
	look_at_all(t, what, all);
	add_up(t, sum, u);
	bury_adopted(t);
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
	return 0;
}

static void
note_ancestors(struct proctree *t, const struct one *root)
{
	struct one o = {.parent = root->parent};
	t->above[0] = o.parent;
	t->above[1] = 1;	/* adopts whom nobody else does */
	t->n_above = 2;
	while (t->n_above < COUNT(t->above) && o.parent > 1 && one_open(&o, o.parent)) {
		one_close(&o);
		t->above[t->n_above++] = o.parent;
	}
}

struct proctree *
proctree_open(pid_t root, char error[256])
{
	struct one o;
	if (root <= 0 || nobody_has(root)) {
		snprintf(error, 256, "there is no process %ld", (long)root);
		return NULL;
	}
	if (!one_open(&o, root)) {
		snprintf(error, 256, "cannot look at process %ld: it is hidden, or a thread of another", (long)root);
		return NULL;
	}
	if (o.zombie || root == getpid()) {
		snprintf(error, 256, o.zombie ? "process %ld has ended, and nobody has asked how" : "process %ld is the one that looks", (long)root);
		one_close(&o);
		return NULL;
	}
	o.owns = true;	/* whosever it is besides */
	struct timespec up;
	clock_gettime(CLOCK_BOOTTIME, &up);
	struct proctree *t = xmalloc(sizeof *t);
	uint64_t hz = (uint64_t)sysconf(_SC_CLK_TCK);
	*t = (struct proctree){.root = root, .root_session = o.session, .root_start = o.start_ticks,
		.open_ticks = (uint64_t)up.tv_sec * hz + (uint64_t)up.tv_nsec * hz / 1000000000u};
	note_ancestors(t, &o);
	one_close(&o);
	born_open(&t->born, root);
	struct proc_usage u;
	proctree_read(t, PT_DELAY | PT_WHOLE, &u);
	return t;
}

void
proctree_adopt(struct proctree *t, pid_t but)
{
	t->adopter = prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 ? getpid() : 0;
	t->not_adopted = but;
}

pid_t
proctree_root(const struct proctree *t)
{
	return t->root;
}

void
proctree_exclude(struct proctree *t, const struct proctree *inner)
{
	t->inner = xrealloc(t->inner, (t->n_inner + 1) * sizeof *t->inner);
	t->inner[t->n_inner].pid = inner->root;
	t->inner[t->n_inner++].start = inner->root_start;
	/* Older ones stand first, so a parent is marked before its children. */
	for (size_t i = 0; i < t->n; i++) {
		struct member *m = &t->m[i];
		const struct member *parent = find(t, m->p.parent);
		if (m->excluded || !(is_inner(t, &m->p) || (parent && parent->excluded)))
			continue;
		for (enum counter k = 0; k < COUNTERS; k++)
			t->departed[k] += part(m, k);
		m->excluded = true;
	}
}

void
proctree_close(struct proctree *t)
{
	for (size_t i = 0; i < t->n; i++)
		one_close(&t->m[i].p);
	born_close(&t->born);
	free(t->m);
	free(t->inner);
	free(t);
}
