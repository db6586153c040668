/* nbplan: what a sweep would cost, before anything runs.
 * In:  `combination` records; the runs that there are.
 * Out: how many notebooks, how long, how much memory and disk; or, of one
 * notebook, why it is beyond this machine. */
#include "expr.h"
#include "plan.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOTEBOOK_LIMIT_BYTES = 256 << 20 };

static const char *memory, *reason_for, *label = "current", *runs_dir, *notebooks_dir, *executed_dir, *screenshots_dir, *template;
static double machine_memory;
static long repeat = 1;
static bool as_json;

static struct timespec newest_need;	/* a run that is older is out of date */
static bool need_missing;

static void
add_depends(const char *path)
{
	struct stat st;
	if (stat(path, &st) != 0)
		need_missing = true;
	else if (is_newer(st.st_mtim, newest_need))
		newest_need = st.st_mtim;
}

static struct opt opts[] = {
	{'m', "memory", OPT_STRING, &memory, 0, 0, "EXPR", "bytes that a combination needs, in its parameters"},
	{'r', "runs", OPT_STRING, &runs_dir, 0, 0, "DIR", "earlier runs, NAME.jsonl and NAME@K.jsonl"},
	{'d', "depends", OPT_CALL, NULL, 0, 0, "FILE", "a run older than FILE is out of date; repeatable"},
	{'k', "repeat", OPT_INT, &repeat, 1, 1000000, "N", "how often each notebook runs, default 1"},
	{'l', "label", OPT_STRING, &label, 0, 0, "LABEL", "whose runs these are, default current"},
	{'n', "notebooks", OPT_STRING, &notebooks_dir, 0, 0, "DIR", "the notebooks"},
	{'t', "template", OPT_STRING, &template, 0, 0, "FILE", "the size of a notebook where there is none yet"},
	{'e', "executed", OPT_STRING, &executed_dir, 0, 0, "DIR", "executed notebooks"},
	{'s', "screenshots", OPT_STRING, &screenshots_dir, 0, 0, "DIR", "their screenshots, a folder for each"},
	{0, "machine-memory", OPT_REAL, &machine_memory, 1, 1e18, "BYTES", "the memory of the machine, default this one's"},
	{'j', "json", OPT_FLAG, &as_json, 0, 0, NULL, "one record in place of the text"},
	{0, "reason", OPT_STRING, &reason_for, 0, 0, "NOTEBOOK", "only say why this notebook is beyond the machine"},
	{0},
};
static const struct usage usage = {"nbplan", "[options]", "Tells what the combinations on standard input would cost.", opts};

static struct expr *expr;
static double *values;	/* of expr's parameters */
static struct machine machine;
static struct earlier earlier;
static struct forecast forecast;
static struct beyond beyond;
static struct plan plan;
static int notebooks_fd = -1;
static uint64_t new_runs, new_notebooks;

/* ---- memory ---- */

static void
xread_expr(void)
{
	char *error;
	if (!memory || !memory[strspn(memory, " \t\r\n")])
		return;
	expr = expr_parse(memory, &error);
	if (!expr)
		die(ST_USAGE, "--memory: %s", error);
	values = xmalloc((expr->n_params + 1) * sizeof *values);
}

static const char *
kind_of(struct span v)
{
	return !v.p ? "missing" : *v.p == '"' ? "a string" : *v.p == '[' ? "a list" : *v.p == '{' ? "an object" : "null";
}

/* The bytes that a combination needs; `where` stands before what is wrong. */
static double
xneed(struct scan *params, const char *where, unsigned long line, const char *name)
{
	const char *why;
	size_t column;
	for (size_t i = 0; i < expr->n_params; i++) {
		struct span v = scan_get(params, expr->params[i].name);
		values[i] = span_is(v, "true") ? 1 : span_is(v, "false") ? 0 : span_number(v);
		if (!isfinite(values[i]))
			die(ST_INPUT, "%s:%lu:1: --memory, column %zu: parameter '%s' is %s in '%s', not a number", where, line,
			    expr->params[i].column, expr->params[i].name, kind_of(v), name);
	}
	double need = expr_value(expr, values, &why, &column);
	if (isnan(need))
		die(ST_INPUT, "%s:%lu:1: --memory, column %zu: %s for '%s'", where, line, column, why, name);
	if (need < 0)
		die(ST_INPUT, "%s:%lu:1: --memory says %g bytes for '%s': less than none", where, line, need, name);
	return need;
}

/* One notebook: prints why it does not fit, if so. */
static int
tell_reason(const char *path)
{
	size_t n;
	char *error;
	if (!expr)
		return ST_OK;
	char *text = read_file(path, NOTEBOOK_LIMIT_BYTES, &n);
	if (!text)
		die(ST_SYSTEM, "cannot read '%s':", path);
	json_t *nb = parse_json(text, n, path, &error);
	if (!nb)
		die(ST_INPUT, "%s", error);
	json_t *params = json_object_get(json_object_get(json_object_get(nb, "metadata"), "nbscope"), "params");
	if (expr->n_params && !json_is_object(params))
		die(ST_INPUT, "%s:1:1: no parameters in the notebook (metadata.nbscope.params)", path);
	struct scan s = {0};
	struct buf b = {0};
	dump_json(&b, params ? params : json_null());
	scan_members(&s, (struct span){b.p, b.n});
	double need = xneed(&s, path, 1, path);
	if (need <= machine.memory_bytes)
		return ST_OK;
	char *reason = beyond_reason(need, machine.memory_bytes);
	xput_line(reason, strlen(reason));
	return ST_DIFFERS;
}

/* ---- one combination ---- */

/* Of its repetitions: which need no run, and which have no file. */
struct state {
	long current, missing;
	bool skipped;
};

static struct state
look_at(const struct past *p)
{
	struct state s = {0, repeat, false};
	struct stat st = {0};
	if (!p)
		return s;
	char *file = xasprintf("%s.ipynb", p->name);
	bool stale = need_missing || (notebooks_dir && fstatat(notebooks_fd, file, &st, 0) != 0);
	free(file);
	for (size_t i = 0; i < p->n_repetitions; i++) {
		const struct repetition *r = &p->repetitions[i];
		if (r->k > repeat)
			continue;
		s.missing--;
		if (stale || is_newer(newest_need, r->made) || is_newer(st.st_mtim, r->made))
			continue;
		s.current++;
		s.skipped |= r->skipped;
	}
	return s;
}

static void
add_time(const struct past *p, struct scan *params, double runs)
{
	struct guess g = {(double)NAN, (double)NAN, (double)NAN, false};
	bool own = p && (p->n_whole || p->n_early);
	if (own) {
		g.s = p->n_whole ? p->whole_s / (double)p->n_whole : p->early_s / (double)p->n_early;
		g.low_s = g.high_s = g.s;
	} else if (forecast.n) {
		g = foretell(&forecast, params);
	}
	plan.foretold += !own;
	plan.outside += g.outside;
	plan.early |= own ? p->n_whole == 0 : forecast.early;
	plan.time_s += runs * (g.s + earlier.between_s);
	plan.low_s += runs * (g.low_s + earlier.between_s);
	plan.high_s += runs * (g.high_s + earlier.between_s);
}

static void
plan_run(const struct past *p, struct scan *params, const struct state *s, double need, const char *name)
{
	plan.to_run++;
	plan.runs += (uint64_t)(repeat - s->current);
	new_runs += (uint64_t)s->missing;
	new_notebooks += !p;
	add_time(p, params, (double)(repeat - s->current));
	if (need > plan.peak_bytes || !plan.peak_name) {
		free(plan.peak_name);
		plan.peak_name = xstrdup(name);
		plan.peak_bytes = need;
	}
}

static void
take(struct scan *record, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	static struct scan params;
	if (!scan_type_is(record, "combination"))
		return;
	struct span values_of = scan_get(record, "params");
	char *name = span_string(scan_get(record, "name"));
	if (!name || !values_of.p || *values_of.p != '{')
		die(ST_INPUT, "%s:%lu:1: a combination without its %s", in->name, in->number, name ? "params" : "name");
	scan_members(&params, values_of);
	const struct past *p = find_past(&earlier, name);
	struct state s = look_at(p);
	double need = expr ? xneed(&params, in->name, in->number, name) : 0;
	bool fits = need <= machine.memory_bytes, current = s.current == repeat;
	if (!plan.notebooks++)
		plan.usecase = span_string(scan_get(record, "usecase"));
	if (current && !s.skipped)
		plan.up_to_date++;
	else if (current || !fits)
		plan.skipped++;
	else
		plan_run(p, &params, &s, need, name);
	plan.skipped_before += current && s.skipped && fits;
	if (expr)
		note_need(&beyond, &params, need, !fits && !(current && !s.skipped));
	free(name);
}

/* ---- all of them ---- */

/* What is to be added; NaN where not even the runs' size is known. */
static void
plan_disk(void)
{
	struct folder runs = measure_folder(runs_dir, ".jsonl"), notebooks = measure_folder(notebooks_dir, ".ipynb");
	struct buf without = {0};
	if (!notebooks.n && template)
		notebooks.mean_bytes = file_bytes(template);
	uint64_t missing = notebooks_dir && plan.notebooks > notebooks.n ? plan.notebooks - notebooks.n : 0;
	const struct { const char *what; bool wanted; uint64_t n; double each; } parts[] = {
		{"run records", true, new_runs, runs.mean_bytes},
		{"notebooks", true, missing, notebooks.mean_bytes},
		{"executed notebooks", executed_dir, new_notebooks, executed_dir ? measure_folder(executed_dir, ".ipynb").mean_bytes : 0},
		{"screenshots", screenshots_dir, new_notebooks, screenshots_dir ? measure_folder(screenshots_dir, NULL).mean_bytes : 0},
	};
	for (size_t i = 0; i < COUNT(parts); i++) {
		if (!parts[i].wanted || !parts[i].n)
			continue;
		if (isfinite(parts[i].each))
			plan.disk_bytes += (double)parts[i].n * parts[i].each;
		else
			buf_addf(&without, "%s%s", without.n ? ", " : "", parts[i].what);
	}
	if (new_runs && !runs.n)
		plan.disk_bytes = (double)NAN;
	plan.disk_without = without.p;
	plan.disk_free_bytes = free_bytes(runs_dir);
}

static void
start_plan(void)
{
	plan = (struct plan){.label = label, .repeat = repeat, .needs_known = expr, .machine = &machine, .forecast = &forecast, .beyond = &beyond};
	xread_earlier(&earlier, runs_dir);
	make_forecast(&forecast, &earlier);
	start_beyond(&beyond, machine.memory_bytes);
	for (size_t i = 0; expr && i < expr->n_params; i++)
		add_beyond_param(&beyond, expr->params[i].name);
	if (notebooks_dir)
		notebooks_fd = open(notebooks_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int
main(int argc, char **argv)
{
	/* ISO C has no void pointer to a function in an initialiser. */
	void (*call)(const char *) = add_depends;
	memcpy(&opts[2].to, &call, sizeof call);
	if (options(argc, argv, &usage) != argc)
		die_usage(&usage, "no operand is wanted: combinations come on standard input");
	xread_expr();
	if (machine_memory > 0)
		machine = (struct machine){machine_memory, (double)NAN, "option"};
	else
		xread_machine(&machine);
	if (reason_for) {
		int told = tell_reason(reason_for);
		xclose_stdout();
		return told;
	}
	start_plan();
	xscan_files(argv + argc, take);
	if (!plan.notebooks)
		die(ST_INPUT, "stdin:1:1: no combination");
	if (!plan.usecase)
		plan.usecase = xstrdup("");
	plan_disk();
	if (as_json) {
		json_t *r = plan_json(&plan);
		xput_record(r);
		json_decref(r);
	} else {
		show_plan(&plan);
	}
	xclose_stdout();
	return plan.disk_bytes > plan.disk_free_bytes ? ST_DIFFERS : isfinite(plan.time_s) ? ST_OK : ST_UNKNOWN;
}
