/* runtruth: how true nbscope's numbers are, and what looking costs.
 * In:  run records of a notebook whose cells know their truth, said in tags.
 * Out: a `truth` record for each cell and metric, a `looking` record for each kind
 *      of cell that ran with and without procsample, or a table of both; status 1
 *      when a metric is further off than it may be. */
#include "looking.h"
#include "scan.h"
#include "score.h"

#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static bool as_table;

static const struct opt opts[] = {
	{'t', "table", OPT_FLAG, &as_table, 0, 0, NULL, "a table for people instead of records"},
	{0},
};
static const struct usage usage = {"runtruth", "[options] [FILE...]",
	"Compares what was measured of a calibration notebook with its cells' truth.", opts};

/* The run that is being read. */
struct seen {
	json_t *cell;
	const char *file;
	unsigned long line;
	double start_t, next_t;	/* of the records before it and behind it */
};
static struct {
	json_t *record, *told;	/* told: by cell id, then by field */
	json_t *console;	/* lines of the cell that runs, by kind */
	struct seen *cells;
	size_t n;
	double start_t, quiet_ms;
	bool sampled;
} run;

/* ---- values --------------------------------------------------------------------- */

/* "outputs.by_kind.stdout", "page.long_frames.0.duration_ms" */
static double
number_at(const json_t *object, const char *path)
{
	for (const char *dot; (dot = strchr(path, '.')); path = dot + 1) {
		char *key = xasprintf("%.*s", (int)(dot - path), path);
		object = json_is_array(object) ? json_array_get(object, strtoul(key, NULL, 10)) : json_object_get(object, key);
		free(key);
	}
	return json_real_at(object, path);
}

static const char *
text(const json_t *object, const char *key)
{
	const char *s = json_string_value(json_object_get(object, key));
	return s ? s : "";
}

static double
later(double a, double b)
{
	return isnan(b) || a > b ? a : b;
}

/* ---- one cell --------------------------------------------------------------------- */

static void
copy_member(json_t *to, const json_t *from, const char *key)
{
	json_t *v = json_object_get(from, key);
	json_object_set(to, key, v ? v : json_null());
}

static void
put_score(const json_t *cell, const struct score *s)
{
	static const char *const of_run[] = {"name", "label", "repetition", "attempt"}, *const of_cell[] = {"cell_index", "cell_id"};
	json_t *r = json_pack("{s:s, s:O?}", "type", "truth", "t", json_object_get(cell, "t"));
	for (size_t i = 0; i < COUNT(of_run); i++)
		copy_member(r, run.record, of_run[i]);
	for (size_t i = 0; i < COUNT(of_cell); i++)
		copy_member(r, cell, of_cell[i]);
	json_object_set_new(r, "metric", json_string(s->metric));
	json_object_set_new(r, "truth", json_ms(s->truth));
	json_object_set_new(r, "measured", json_ms(s->measured));
	json_object_set_new(r, "error", json_ms(s->measured - s->truth));
	json_object_set_new(r, "limit", isinf(s->limit) ? json_null() : json_ms(s->limit));
	json_object_set_new(r, "ok", json_boolean(score_ok(s)));
	json_object_set_new(r, "reason", isnan(s->truth) ? json_string("the run does not hold the truth") :
	    isnan(s->measured) ? json_string("not measured") : json_null());
	xput_record(r);
	json_decref(r);
}

static void
score(const json_t *cell, enum metric_kind kind, const char *metric, double truth, double measured, double limit)
{
	const struct score *s = score_add(kind, metric, text(cell, "cell_id"), truth, measured, limit);
	if (!as_table)
		put_score(cell, s);
}

/* What the kernel or the page told, when the cell had run. */
static double
told(const struct seen *c, const char *field)
{
	return json_real_at(json_object_get(run.told, text(c->cell, "cell_id")), field);
}

/* Cells "draw-1", "draw-2" are of one kind. */
static void
take_looking(const struct seen *c, const char *field)
{
	const char *id = text(c->cell, "cell_id");
	size_t n = strlen(id);
	while (n && isdigit((unsigned char)id[n - 1]))
		n--;
	char *kind = xasprintf("%.*s", (int)(n && id[n - 1] == '-' ? n - 1 : strlen(id)), id);
	looking_add(kind, field, run.sampled, json_real_at(run.record, "t"), number_at(c->cell, field));
	free(kind);
}

/* A tag "truth:..." without that word. */
static void
take_truth(const struct seen *c, const char *said)
{
	double pressed = json_real_at(c->cell, "pressed_t"), at;
	const char *equals = strchr(said, '=');
	char *field = xasprintf("%.*s", (int)(equals ? equals - said : (long)strlen(said)), said), *end = NULL;
	double value = equals ? strtod(equals + 1, &end) : NAN;
	if (equals && (end == equals + 1 || *end || !isfinite(value)))
		die(ST_INPUT, "%s:%lu:1: the tag 'truth:%s' has no number", c->file, c->line, said);
	if (strcmp(said, "settled") == 0) {
		at = told(c, field);
		score(c->cell, SETTLED, "settled_ms", (at - pressed) * 1e3, (json_real_at(c->cell, "settled_t") - pressed) * 1e3, 0);
	} else if (strcmp(said, "raised") == 0 || strcmp(field, "died") == 0) {
		const char *instant = text(c->cell, "error_value");
		at = equals ? json_real_at(c->cell, "busy_t") + value / 1e3 : *instant ? strtod(instant, NULL) : NAN;
		score(c->cell, RECORDED, "recorded_ms", (at - pressed) * 1e3, (c->next_t - pressed) * 1e3, 0);
	} else if (!*field) {
		die(ST_INPUT, "%s:%lu:1: the tag 'truth:%s' has no field", c->file, c->line, said);
	} else {
		double truth = equals ? value : told(c, field);
		enum metric_kind kind = score_kind(field);
		score(c->cell, kind, field, truth, number_at(c->cell, field), 0);
	}
	free(field);
}

/* What every measured cell tells, truth or not. */
static void
take_costs(const struct seen *c, const struct seen *next)
{
	double client = json_real_at(c->cell, "client_ms"), end = later(json_real_at(c->cell, "received_t"), json_real_at(c->cell, "settled_t"));
	bool waited = json_is_true(json_object_get(c->cell, "waited"));
	if (!json_is_true(json_object_get(c->cell, "profiled")) || isnan(end))
		return;
	score(c->cell, RESIDUAL, "residual_ms", 0, json_real_at(c->cell, "residual_ms"), fmax(5, 0.02 * client));
	score(c->cell, SCRIPT, "script_ms", 0, json_real_at(c->cell, "script_ms"), 0);
	if (!next || isnan(next->start_t))
		return;
	end = later(end, json_real_at(c->cell, "done_t"));
	if (waited)
		score(c->cell, ADDED_VIEWER, "added_viewer_ms", 0, (next->start_t - end) * 1e3, run.quiet_ms);
	else
		score(c->cell, ADDED, "added_ms", 0, (next->start_t - end) * 1e3, 0);
	if (!isnan(json_real_at(next->cell, "pressed_t")))
		score(c->cell, MOVING, "moving_ms", 0, (json_real_at(next->cell, "pressed_t") - next->start_t) * 1e3, 0);
}

/* ---- a run ------------------------------------------------------------------------ */

/* What its tags say; a cell that is compared with itself tells nothing else. */
static void
take_tags(const struct seen *c, const struct seen *next)
{
	json_t *tag;
	size_t k;
	bool looked = false;
	json_array_foreach(json_object_get(c->cell, "tags"), k, tag) {
		const char *word = json_is_string(tag) ? json_string_value(tag) : "";
		if (strncmp(word, "truth:", 6) == 0)
			take_truth(c, word + 6);
		if (strncmp(word, "looking:", 8) == 0) {
			if (!word[8])
				die(ST_INPUT, "%s:%lu:1: the tag '%s' has no field", c->file, c->line, word);
			take_looking(c, word + 8);
			looked = true;
		}
	}
	if (!looked)
		take_costs(c, next);
}

static void
end_run(void)
{
	for (size_t i = 0; i < run.n; i++)
		take_tags(&run.cells[i], i + 1 < run.n ? &run.cells[i + 1] : NULL);
	for (size_t i = 0; i < run.n; i++)
		json_decref(run.cells[i].cell);
	json_decref(run.record);
	json_decref(run.told);
	json_decref(run.console);
	run.record = run.told = run.console = NULL;
	run.n = 0;
	run.sampled = false;
}

/* The cell that reports what was told raises it as an error "Truth". */
static void
take_told(const struct lines *in, const json_t *cell)
{
	if (strcmp(text(cell, "error_name"), "Truth") != 0)
		return;
	char *error = NULL;
	const char *said = text(cell, "error_value");
	json_decref(run.told);
	run.told = parse_json(said, strlen(said), "error_value", &error);
	if (!run.told)
		warn("%s:%lu: cell '%s': %s", in->name, in->number, text(cell, "cell_id"), error);
	free(error);
}

/* Lines on the console stand before the record of the cell that they belong to. */
static void
take_console(const json_t *line)
{
	const char *kind = text(line, "kind");
	if (run.console && json_is_integer(json_object_get(line, "cell_index")))
		json_object_set_new(run.console, kind, json_integer(json_integer_value(json_object_get(run.console, kind)) + 1));
}

static void
new_console(void)
{
	static const char *const kinds[] = {"console_error", "exception", "rejection", "not_loaded"};
	json_decref(run.console);
	run.console = json_object();
	for (size_t i = 0; i < COUNT(kinds); i++)
		json_object_set_new(run.console, kinds[i], json_integer(0));
}

static void
take_cell(const struct lines *in, json_t *cell)
{
	if ((run.n & (run.n - 1)) == 0)
		run.cells = xrealloc(run.cells, (run.n ? 2 * run.n : 1) * sizeof *run.cells);
	run.cells[run.n++] = (struct seen){json_incref(cell), in->name, in->number, run.start_t, NAN};
	run.start_t = NAN;
	json_object_set(cell, "console", run.console);
	new_console();
	take_told(in, cell);
}

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	bool opens = scan_type_is(s, "run"), cell = scan_type_is(s, "cell"), start = scan_type_is(s, "cell_start");
	bool end = scan_type_is(s, "run_end"), console = scan_type_is(s, "console"), sample = scan_type_is(s, "sample");
	if (!opens && !cell && !start && !end && !console && !sample && !scan_type_is(s, "fault") && !scan_type_is(s, "viz")) {
		if (!as_table)
			xput_line(line, len);
		return;
	}
	json_t *r = xparse_record(in, line, len);
	run.sampled = run.sampled || sample;
	if (opens) {
		end_run();
		run.record = json_incref(r);
		run.start_t = NAN;
		new_console();
		run.quiet_ms = json_real_at(json_object_get(r, "settings"), "quiet_ms");
	} else if (!run.record && (cell || start || end)) {
		die(ST_INPUT, "%s:%lu:1: a cell or an end of no run", in->name, in->number);
	}
	/* The next record's instant is when the one before it had been written. */
	if ((start || cell || end) && run.n && isnan(run.cells[run.n - 1].next_t))
		run.cells[run.n - 1].next_t = json_real_at(r, "t");
	if (start)
		run.start_t = json_real_at(r, "t");
	if (console)
		take_console(r);
	if (cell)
		take_cell(in, r);
	if (end)
		end_run();
	json_decref(r);
}

int
main(int argc, char **argv)
{
	int first = options(argc, argv, &usage);
	signal(SIGINT, SIG_IGN);
	xscan_files(argv + first, take);
	end_run();
	enum status truths = score_rows(as_table), looks = looking_rows(as_table);
	xclose_stdout();
	if (truths == ST_UNKNOWN && !looking_any())
		warn("no measured cell in the input");
	/* What differs is worse than what cannot be told. */
	return (int)(truths == ST_DIFFERS || !looking_any() ? truths : looks);
}
