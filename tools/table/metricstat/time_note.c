/* time_note.c: whether a column called elapsed time is one.
 *
 * A program that takes the difference of two CPU times and calls it run time has no elapsed
 * time: it then equals the CPU time.  And no process uses more than its cores' time. */
#include "time_note.h"
#include "base/die.h"
#include "table/column_unit.h"
#include "table/column_words.h"
#include "table/table_note.h"
#include "table/table_rows.h"

static const double rounding = 1e-3, least_share = 0.99, tick_s = 0.05, above = 1.02;
enum { MIN_ROWS = 3 };

struct time_pair {
	const struct column *cpu, *elapsed, *cores;	/* cores NULL: one */
	size_t rows, equal, over;
	double most;	/* CPU time per core by elapsed time */
};

static const struct column *
find_time(const struct table *t, enum column_concept is)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		const struct column *c = t->columns[i];
		enum quantity q = column_unit(c->name).quantity;
		if (!c->is_word && (q == OF_TIME || q == OF_NOTHING) &&
		    column_concept(c->name) == is)
			return c;
	}
	return NULL;
}

static double
seconds_per(const struct column *c)
{
	struct unit u = column_unit(c->name);
	return u.quantity == OF_TIME ? u.factor : 1;
}

static void
compare_times(struct time_pair *p, const struct table *t)
{
	double cpu_s = seconds_per(p->cpu), elapsed_s = seconds_per(p->elapsed);
	for (size_t i = 0; i < t->n_rows; i++) {
		table_rows_release(t, i);
		double cpu = p->cpu->number[i] * cpu_s, elapsed = p->elapsed->number[i] * elapsed_s,
		    cores = p->cores ? p->cores->number[i] : 1;
		if (!(cpu > 0) || !(elapsed > 0) || !(cores > 0))
			continue;
		p->rows++;
		p->equal += fabs(cpu - elapsed) <= rounding * elapsed;
		if (cpu > above * cores * elapsed + tick_s) {
			p->over++;
			p->most = fmax(p->most, cpu / cores / elapsed);
		}
	}
}

void
time_note_add(json_t *all, const struct table *t)
{
	struct time_pair p = {find_time(t, OF_CPU_TIME), find_time(t, OF_ELAPSED_TIME),
	    table_cores(t), 0, 0, 0, 0};
	if (!p.cpu || !p.elapsed)
		return;
	compare_times(&p, t);
	const char *cpu = p.cpu->name, *elapsed = p.elapsed->name;
	if (p.rows >= MIN_ROWS && (double)p.equal >= least_share * (double)p.rows)
		table_note_add(all, "cpu_is_elapsed", json_pack("[s, s]", cpu, elapsed), p.equal,
		    p.rows, xasprintf("'%s' equals '%s' in %zu of %zu rows: '%s' may be CPU time "
		    "under the name of elapsed time", elapsed, cpu, p.equal, p.rows, elapsed));
	if (p.over)
		table_note_add(all, "cpu_exceeds_elapsed", json_pack("[s, s]", cpu, elapsed),
		    p.over, p.rows, xasprintf("'%s' exceeds '%s' per core in %zu of %zu rows, up "
		    "to %.3g times%s: '%s' is not their elapsed time, or they used more cores",
		    cpu, elapsed, p.over, p.rows, p.most, p.cores ? "" :
		    " (no column of cores: one is assumed)", elapsed));
}
