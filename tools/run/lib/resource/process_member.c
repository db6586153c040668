/* process_member.c: what one process of a tree used, and its share of the tree's sum. */
#include "resource/process_member.h"

/* What a fast reading may put off: see PT_FAST. */
static const uint64_t THREADS_EVERY_NS = 95000000u;

uint64_t
process_member_total(const struct process_member *m, enum counter k)
{
	uint64_t inherited = m->p.reaped[k];
	/* The kernel counts ticks of 10 ms, rounded down: what the children showed may be more. */
	if (k == C_CPU && m->first_reaped_cpu + m->known_cpu > inherited)
		inherited = m->first_reaped_cpu + m->known_cpu;
	return m->p.own[k] + inherited;
}

uint64_t
process_member_part(const struct process_member *m, enum counter k)
{
	uint64_t all = process_member_total(m, k), less = m->first[k] + m->foreign[k];
	return all > less ? all - less : 0;
}

void
process_member_start(struct process_member *m, int based)
{
	for (enum counter k = 0; k < C_INHERITED; k++)
		m->first[k] = m->p.own[k] + m->p.reaped[k];
	m->first_reaped_cpu = m->p.reaped[C_CPU];
	m->credited = m->p.reaped[C_MINOR];
	m->based = based;
}

void
process_member_read(struct process_member *m, int what, uint64_t now, bool is_root)
{
	if (!(what & PT_WHOLE) && !is_root) {
		/* If it used no CPU time since then, its run-queue wait has not changed either. */
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
