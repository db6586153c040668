/* exportrun.c: runs as runexport holds them. */
#include "exportrun.h"
#include "cellturn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct runs *all;

/* ---- reading ---------------------------------------------------------------------- */

void
add_column(struct columns *c, const char *name, size_t n)
{
	for (size_t i = 0; i < c->n; i++)
		if (strlen(c->names[i]) == n && memcmp(c->names[i], name, n) == 0)
			return;
	c->names = xrealloc(c->names, (c->n + 1) * sizeof *c->names);
	c->names[c->n++] = xasprintf("%.*s", (int)n, name);
}

static struct run *
this_run(void)
{
	if (all->n == 0)
		all->run = memset(xrealloc(all->run, ++all->n * sizeof *all->run), 0, sizeof *all->run);
	return &all->run[all->n - 1];
}

static void
take_run(json_t *record)
{
	struct run *r = this_run();
	if (r->record || r->n || r->interactions) {
		all->run = xrealloc(all->run, ++all->n * sizeof *all->run);
		r = memset(&all->run[all->n - 1], 0, sizeof *r);
	}
	r->record = record;
}

/* The page's end of a cell: what was waited for last, or when it was given up. */
static double
end_of(const json_t *r)
{
	double received = json_real_at(r, "received_t"), settled = json_real_at(r, "settled_t");
	return isnan(received) ? json_real_at(r, "pressed_t") + json_real_at(r, "client_ms") / 1000 : fmax(received, settled);
}

/* On the samples' clock: a queued cell begins when it gets the kernel, whose clock
 * that is where the kernel is here. */
static double
begin_of(const struct run *r, struct scan *s, double shift)
{
	double turn_t = cell_turn_t(s, r->kernel_here);
	return isfinite(turn_t) ? turn_t : cell_begin_t(s) + shift;
}

static void
take_cell(struct scan *s, json_t *record)
{
	struct run *r = this_run();
	double offset_s = json_real_at(record, "clock_offset_ms") / 1000, end_t = end_of(record);
	double shift = r->kernel_here && isfinite(offset_s) ? offset_s : 0;
	json_object_set_new(record, "end_t", json_t_of(end_t));
	r->cells = xrealloc(r->cells, (r->n + 1) * sizeof *r->cells);
	r->cells[r->n++] = (struct cell){begin_of(r, s, shift), end_t + shift, record};
}

static void
take_interaction(json_t *record)
{
	struct run *r = this_run();
	if (!r->interactions)
		r->interactions = json_array();
	json_array_append_new(r->interactions, record);
}

static void
xspill(const void *data, size_t n)
{
	if (fwrite(data, 1, n, all->samples) != n)
		die(ST_SYSTEM, "cannot write the temporary file:");
}

/* "gpu0_use_pct" ... */
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
			char *name = xasprintf("gpu%lld_%s", (long long)json_integer_value(json_object_get(gpu, "index")), key);
			json_object_set(flat, name, v);
			free(name);
		}
	json_decref(list);
	return flat;
}

static void
note_gpus(struct span text)
{
	json_t *flat = flat_gpus(text), *v;
	const char *key;
	json_object_foreach(flat, key, v)
		add_column(all->columns, key, strlen(key));
	json_decref(flat);
}

static void
take_sample(struct scan *s, const char *line, size_t len)
{
	struct span role = scan_get(s, "role");
	size_t in = (size_t)(this_run() - all->run);
	if (all->only_role && !(role.n == strlen(all->only_role) + 2 && memcmp(role.p + 1, all->only_role, role.n - 2) == 0))
		return;
	for (size_t i = 0; i < s->n; i++) {
		enum { GPUS = 4 };
		static const char *const others[] = {"type", "t", "role", "pid", [GPUS] = "gpus"};
		struct span key = s->m[i].key;
		size_t k = 0;
		while (k < COUNT(others) && !span_is(key, others[k]))
			k++;
		if (k == COUNT(others))
			add_column(all->columns, key.p, key.n);
		else if (k == GPUS && !span_null(s->m[i].value))
			note_gpus(s->m[i].value);
	}
	xspill(&in, sizeof in);
	xspill(&len, sizeof len);
	xspill(line, len);
}

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	if (scan_type_is(s, "run")) {
		take_run(xparse_record(in, line, len));
	} else if (scan_type_is(s, "cell")) {
		take_cell(s, xparse_record(in, line, len));
	} else if (scan_type_is(s, "interaction")) {
		take_interaction(xparse_record(in, line, len));
	} else if (scan_type_is(s, "watch")) {
		if (span_is(scan_get(s, "role"), "\"kernel\"") && !span_null(scan_get(s, "pid")))
			this_run()->kernel_here = true;
	} else if (scan_type_is(s, "sample") && !all->no_samples) {
		if (isnan(span_number(scan_get(s, "t"))))
			die(ST_INPUT, "%s:%lu:1: no \"t\" in the sample", in->name, in->number);
		take_sample(s, line, len);
	}
}

void
xread_runs(struct runs *runs, char **list)
{
	all = runs;
	if (!(all->samples = tmpfile()))
		die(ST_SYSTEM, "cannot make a temporary file:");
	xscan_files(list, take);
}

/* ---- samples ------------------------------------------------------------------------- */

static int
by_begin(const void *pa, const void *pb)
{
	const struct cell *a = ((const struct begun *)pa)->cell, *b = ((const struct begun *)pb)->cell;
	int order = (a->begin_t > b->begin_t) - (a->begin_t < b->begin_t);
	return order ? order : (a > b) - (a < b);
}

/* A person's cells may overlap, and are recorded as they end. */
static void
order_cells(struct run *r)
{
	r->begun = xrealloc(NULL, (r->n + 1) * sizeof *r->begun);
	for (size_t i = 0; i < r->n; i++)
		if (isfinite(r->cells[i].begin_t))
			r->begun[r->n_begun++].cell = &r->cells[i];
	qsort(r->begun, r->n_begun, sizeof *r->begun, by_begin);
	for (size_t i = 0; i < r->n_begun; i++)
		r->begun[i].until_t = i ? fmax(r->begun[i - 1].until_t, r->begun[i].cell->end_t) : r->begun[i].cell->end_t;
}

/* Of the cells that last the one that began last. */
static const struct cell *
cell_at(const struct run *r, double t)
{
	size_t from = 0, to = r->n_begun;	/* begun[from - 1] begins by then, begun[to] later */
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (r->begun[middle].cell->begin_t <= t)
			from = middle + 1;
		else
			to = middle;
	}
	for (size_t i = from; i-- > 0 && !(r->begun[i].until_t < t); )
		if (t <= r->begun[i].cell->end_t)
			return r->begun[i].cell;
	return NULL;
}

/* The rate since this process's last sample; the machine has no pid. */
static double
cpu_since(size_t run, struct scan *s, double t)
{
	static struct seen { size_t run; char *who; double t, cpu_s; } *seen;
	static size_t n;
	struct span role = scan_get(s, "role"), pid = scan_get(s, "pid"), cpu = scan_get(s, "cpu_s");
	double cpu_s = span_number(cpu.p ? cpu : scan_get(s, "cpu_busy_s"));
	char *who = xasprintf("%.*s %.*s", (int)role.n, role.p ? role.p : "", (int)pid.n, pid.p ? pid.p : "");
	size_t i = 0;
	while (i < n && (seen[i].run != run || strcmp(seen[i].who, who) != 0))
		i++;
	if (i == n) {
		seen = xrealloc(seen, ++n * sizeof *seen);
		seen[i] = (struct seen){run, who, NAN, NAN};
	} else {
		free(who);
	}
	double pct = t > seen[i].t && cpu_s >= seen[i].cpu_s ? (cpu_s - seen[i].cpu_s) / (t - seen[i].t) * 100 : (double)NAN;
	seen[i].t = t;
	seen[i].cpu_s = cpu_s;
	return pct;
}

void
each_sample(struct runs *runs, void (*put)(const struct row *, struct scan *))
{
	all = runs;
	static struct scan s;
	struct buf line = {0};
	size_t run, len;
	for (size_t i = 0; i < all->n; i++)
		order_cells(&all->run[i]);
	if (fflush(all->samples) != 0)
		die(ST_SYSTEM, "cannot write the temporary file:");
	rewind(all->samples);
	while (fread(&run, sizeof run, 1, all->samples) == 1) {
		struct lines in = {.name = "the temporary file"};
		line.n = 0;
		if (fread(&len, sizeof len, 1, all->samples) != 1)
			die(ST_SYSTEM, "cannot read the temporary file back");
		while (line.n < len) {
			char chunk[4096];
			size_t step = len - line.n < sizeof chunk ? len - line.n : sizeof chunk;
			if (fread(chunk, 1, step, all->samples) != step)
				die(ST_SYSTEM, "cannot read the temporary file back");
			buf_add(&line, chunk, step);
		}
		xscan_record(&s, &in, line.p, line.n);
		double t = span_number(scan_get(&s, "t"));
		struct row r = {&all->run[run], run, cell_at(&all->run[run], t), cpu_since(run, &s, t), NULL};
		struct span gpus = scan_get(&s, "gpus");
		r.gpus = span_null(gpus) ? NULL : flat_gpus(gpus);
		put(&r, &s);
		json_decref(r.gpus);
	}
	buf_free(&line);
}

