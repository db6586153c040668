/* export_run.c: runs as runexport holds them. */
#include "export_run.h"
#include "base/die.h"
#include "json/json_value.h"
#include "run/run_word.h"
#include "run/series.h"

#include <stdio.h>
#include <unistd.h>

enum { RUN_BYTES = 24 };	/* the number of a run, at most */

static struct exports *all;
static struct run_reader reader;
static FILE *spool;	/* lines: the run of a sample, a blank, its record */

/* ---- reading ----------------------------------------------------------------------- */

void
export_add_column(struct export_columns *c, const char *name, size_t n)
{
	for (size_t i = 0; i < c->n; i++)
		if (strlen(c->names[i]) == n && memcmp(c->names[i], name, n) == 0)
			return;
	c->names = xrealloc(c->names, (c->n + 1) * sizeof *c->names);
	c->names[c->n++] = xasprintf("%.*s", (int)n, name);
}

static struct export_run *
append_run(void)
{
	all->runs = xrealloc(all->runs, (all->n + 1) * sizeof *all->runs);
	return memset(&all->runs[all->n++], 0, sizeof *all->runs);
}

/* What comes before the first `run` belongs to a run without a record. */
static struct export_run *
this_run(void)
{
	return all->n ? &all->runs[all->n - 1] : append_run();
}

/* Members of each GPU as "gpu0_utilization_pct" and so on. */
static json_t *
flat_gpus(struct span text)
{
	json_t *flat = json_object(), *list = span_json(text), *gpu, *v;
	size_t i;
	const char *key;
	json_array_foreach(list, i, gpu)
		json_object_foreach(gpu, key, v) {
			if (json_is_array(v) || strcmp(key, "index") == 0)
				continue;
			json_int_t index = json_integer_value(json_object_get(gpu, "index"));
			char *name = xasprintf("gpu%lld_%s", (long long)index, key);
			json_object_set(flat, name, v);
			free(name);
		}
	json_decref(list);
	return flat;
}

static void
add_gpu_columns(struct span text)
{
	json_t *flat = flat_gpus(text), *v;
	const char *key;
	json_object_foreach(flat, key, v)
		export_add_column(all->columns, key, strlen(key));
	json_decref(flat);
}

static void
on_sample(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	static const char *const fixed[] = {"type", "t", "role", "pid"};
	if (isnan(span_number(scan_get(s, "t"))))
		die(ST_INPUT, "%s:%lu:1: no \"t\" in the sample", in->name, in->number);
	size_t nth = (size_t)(this_run() - all->runs);
	if (all->role != ROLES && run_word_role(s) != all->role)
		return;
	for (size_t i = 0; i < s->n; i++) {
		struct span key = s->m[i].key, value = s->m[i].value;
		size_t k = 0;
		while (k < COUNT(fixed) && !span_is(key, fixed[k]))
			k++;
		if (span_is(key, "gpus") && !span_null(value))
			add_gpu_columns(value);
		else if (k == COUNT(fixed) && !span_is(key, "gpus"))
			export_add_column(all->columns, key.p, key.n);
	}
	if (fprintf(spool, "%zu %.*s\n", nth, (int)len, line) < 0)
		die(ST_SYSTEM, "cannot write the temporary file:");
}

static void
on_interaction(json_t *record)
{
	struct export_run *r = this_run();
	if (!r->interactions)
		r->interactions = json_array();
	json_array_append_new(r->interactions, record);
}

static void
export_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	enum run_record kind = run_record_kind(s);
	if (kind == RUN_OTHER) {
		if (scan_type_is(s, "sample") && !all->no_samples)
			on_sample(s, in, line, len);
		else if (scan_type_is(s, "interaction"))
			on_interaction(xlines_parse(in, line, len));
		return;
	}
	struct export_run *r = this_run();
	if (kind == RUN_BEGIN && (r->held.record || r->held.n || r->interactions))
		r = append_run();
	loaded_run_read(&r->held, &reader, s, in, line, len);
	if (kind != RUN_CELL)
		return;
	const struct run_cell *c = &r->held.cells[r->held.n - 1];
	json_object_set_new(c->record, "end_t", json_value_time(c->end_t - c->page_shift_s));
}

void
xexport_read(struct exports *e, char **list)
{
	all = e;
	if (!(spool = tmpfile()))
		die(ST_SYSTEM, "cannot make a temporary file:");
	xscan_files(list, export_record);
}

/* ---- samples ----------------------------------------------------------------------- */

/* The rate since this process's last sample; the machine has no pid. */
static double
cpu_pct(size_t nth, struct scan *s)
{
	static struct last { size_t run; char *who; double t, cpu_s; } *last;
	static size_t n;
	struct span role = scan_get(s, "role"), pid = scan_get(s, "pid");
	struct span cpu = scan_get(s, "cpu_s");
	double t = span_number(scan_get(s, "t"));
	double cpu_s = span_number(cpu.p ? cpu : scan_get(s, "cpu_busy_s"));
	char *who = xasprintf("%.*s %.*s", (int)role.n, role.p ? role.p : "", (int)pid.n,
	    pid.p ? pid.p : "");
	size_t i = 0;
	while (i < n && (last[i].run != nth || strcmp(last[i].who, who) != 0))
		i++;
	if (i == n) {
		last = xrealloc(last, ++n * sizeof *last);
		last[i] = (struct last){nth, who, NAN, NAN};
	} else {
		free(who);
	}
	double pct = 100 * series_rate(t - last[i].t, last[i].cpu_s, cpu_s);
	last[i].t = t;
	last[i].cpu_s = cpu_s;
	return pct;
}

void
export_each_sample(struct exports *e, void (*put)(const struct export_sample *))
{
	static struct scan s;
	struct lines in = {.name = "the temporary file", .limit = LINE_LIMIT_BYTES + RUN_BYTES};
	size_t len;
	if (fflush(spool) != 0)
		die(ST_SYSTEM, "cannot write the temporary file:");
	in.fd = fileno(spool);
	if (lseek(in.fd, 0, SEEK_SET) != 0)
		die(ST_SYSTEM, "cannot read the temporary file back:");
	for (char *line, *record; (line = xlines_next(&in, &len)); ) {
		size_t nth = strtoul(line, &record, 10);
		record++;
		xscan_record(&s, &in, record, len - (size_t)(record - line));
		struct export_run *r = &e->runs[nth];
		double t = span_number(scan_get(&s, "t"));
		struct span gpus = scan_get(&s, "gpus");
		struct export_sample sample = {r, nth, &s, loaded_run_cell_at(&r->held, t),
			cpu_pct(nth, &s), span_null(gpus) ? NULL : flat_gpus(gpus)};
		put(&sample);
		json_decref(sample.gpus);
	}
	buf_free(&in.buf);
}
