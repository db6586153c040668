/* runtruth: how accurate nbscope's numbers are, and how much sampling slows cells down.
 * Reads run records of a notebook whose tags give the truth of its cells; writes a `truth` record
 * for each cell and metric and a `sampling_overhead` record for each kind of cell that ran with
 * and without procsample, or a table of both; status 1 when a metric exceeds its limit. */
#include "base/buf.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "calibration.h"
#include "json/json_parse.h"
#include "json/json_value.h"
#include "profile_truth.h"
#include "run/loaded_run.h"
#include "sampling_overhead.h"

#include <ctype.h>
#include <signal.h>

static bool as_table;
static const char *earlier;	/* truth records */

static const struct opt opts[] = {
	{0, "table", OPT_FLAG, &as_table, 0, 0, NULL,
		"print tables for people instead of records"},
	{0, "before", OPT_STRING, &earlier, 0, 0, "FILE",
		"with --table: also print the bias in the truth records of FILE"},
	{0},
};
static const struct opt_usage usage = {"runtruth", "[options] [FILE...]",
	"Compares the metrics of a calibration notebook with its cells' true costs.", opts};

static struct run_reader reader;
static struct loaded_run run;
/* The place where each of its cells was read, and the times of the records around it. */
static struct cell_line {
	const char *file;
	unsigned long number;
	double start_t, next_t;
	bool performed;	/* gestures, before the next cell */
} *lines;
static json_t *truths;	/* by cell id, then by field */
static json_t *console;	/* lines of the cell that runs, by kind */
static json_t *gestures;	/* interaction records of the run */
static size_t n_lines;
static double start_t;
static bool sampled, captured, profiled;
static bool without_page;	/* the run had no browser */
static size_t n_left_out;	/* values that only a page knows */

/* ---- values ------------------------------------------------------------------------ */

/* "outputs.by_kind.stdout", "page.long_animation_frames.0.duration_ms" */
static double
number_at(const json_t *object, const char *path)
{
	for (const char *dot; (dot = strchr(path, '.')); path = dot + 1) {
		char *key = xasprintf("%.*s", (int)(dot - path), path);
		object = json_is_array(object) ? json_array_get(object, strtoul(key, NULL, 10)) :
		    json_object_get(object, key);
		free(key);
	}
	return json_value_real_at(object, path);
}

static const char *
member_text(const json_t *object, const char *key)
{
	const char *s = json_string_value(json_object_get(object, key));
	return s ? s : "";
}

/* What the kernel or the page knew once the cell had run. */
static const json_t *
reported(const struct run_cell *c)
{
	return json_object_get(truths, member_text(c->record, "cell_id"));
}

/* Unix seconds of the last change.  A capture of the page says between which two instants it was:
 * then the one that is nearest to what was measured. */
static double
settled_truth(const struct run_cell *c, double measured_t, double *resolution_ms)
{
	const json_t *pair = json_object_get(reported(c), "settled");
	if (!json_is_array(pair))
		return json_value_real_at(reported(c), "settled") + c->page_shift_s;
	double from = json_number_value(json_array_get(pair, 0)) + c->page_shift_s;
	double to = json_number_value(json_array_get(pair, 1)) + c->page_shift_s;
	*resolution_ms = (to - from) * 1e3;
	return fmin(fmax(measured_t, from), to);
}

/* ---- one cell ---------------------------------------------------------------------- */

static void
copy_members(json_t *to, const json_t *from, const char *const *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		json_t *v = json_object_get(from, keys[i]);
		json_object_set(to, keys[i], v ? v : json_null());
	}
}

static void
put_truth(const struct run_cell *c, const struct calibration *value)
{
	static const char *const of_run[] = {"name", "label", "repetition", "attempt"};
	static const char *const of_cell[] = {"cell_index", "cell_id"};
	const char *reason = isnan(value->truth) ? "the run does not hold the truth" :
	    !isnan(value->measured) ? NULL : value->marks ? value->marks : "not measured";
	json_t *r = json_pack("{s:s, s:O?}", "type", "truth", "t", json_object_get(c->record, "t"));
	copy_members(r, run.record, of_run, COUNT(of_run));
	copy_members(r, c->record, of_cell, COUNT(of_cell));
	json_object_set_new(r, "metric", json_string(value->metric));
	json_object_set_new(r, "truth", json_value_ms(value->truth));
	json_object_set_new(r, "measured", json_value_ms(value->measured));
	json_object_set_new(r, "error", json_value_ms(value->measured - value->truth));
	double limit = isinf(value->limit) ? (double)NAN : value->limit;
	json_object_set_new(r, "resolution", json_value_ms(value->resolution));
	json_object_set_new(r, "limit", json_value_ms(limit));
	json_object_set_new(r, "ok", json_boolean(calibration_ok(value)));
	json_object_set_new(r, "reason", json_value_text(reason));
	xlines_write_new(r);
}

static bool
is_of_page(const char *metric)
{
	static const char *const begins[] = {"page.", "console.", "handling_delay_ms",
		"last_visual_change_ms", "unattributed_ms", "script_ms"};
	for (size_t i = 0; i < COUNT(begins); i++)
		if (strncmp(metric, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static void
add_calibration(const struct run_cell *c, struct calibration value)
{
	if (without_page && is_of_page(value.metric)) {
		n_left_out++;
		return;
	}
	value.cell = (char *)member_text(c->record, "cell_id");
	const struct calibration *added = calibration_add(&value);
	if (!as_table)
		put_truth(c, added);
}

static void
add_true_value(const struct run_cell *c, enum calibration_kind kind, const char *metric,
    double truth, double measured, double limit)
{
	add_calibration(c, (struct calibration){.kind = kind, .metric = (char *)metric,
	    .truth = truth, .measured = measured, .limit = limit,
	    .resolution = (double)NAN});
}

static void
add_settled(const struct run_cell *c)
{
	struct calibration value = {.kind = CAL_SETTLED, .metric = "last_visual_change_ms",
	    .resolution = (double)NAN, .measured = (c->last_visual_change_t - c->pressed_t) * 1e3};
	double t = settled_truth(c, c->last_visual_change_t, &value.resolution);
	value.truth = (t - c->pressed_t) * 1e3;
	struct buf marks = {0};
	json_t *mark;
	size_t i;
	json_array_foreach(json_object_get(c->record, "marks"), i, mark)
		buf_addf(&marks, "%s%s", i ? ", " : "", json_string_value(mark));
	value.marks = marks.p;
	add_calibration(c, value);
	buf_free(&marks);
}

/* Cells "draw-1", "draw-2" are of one kind. */
static void
add_overhead(const struct run_cell *c, const char *field)
{
	const char *id = member_text(c->record, "cell_id");
	size_t n = strlen(id);
	while (n && isdigit((unsigned char)id[n - 1]))
		n--;
	char *kind = xasprintf("%.*s", (int)(n && id[n - 1] == '-' ? n - 1 : strlen(id)), id);
	sampling_overhead_add(kind, field, sampled, run.t, number_at(c->record, field));
	free(kind);
}

/* Why the browser has no value for a field of its page; NULL: the record gives no reason. */
static const char *
page_reason(const struct run_cell *c, const char *field)
{
	if (strncmp(field, "page.", 5) != 0)
		return NULL;
	char *member = xasprintf("%.*s", (int)strcspn(field + 5, "."), field + 5);
	const json_t *reasons = json_object_get(json_object_get(c->record, "page"), "reasons");
	const char *why = json_string_value(json_object_get(reasons, member));
	free(member);
	return why;
}

static void
add_field(const struct run_cell *c, const char *field, double truth)
{
	struct calibration value = {.kind = calibration_kind(field), .metric = (char *)field,
	    .truth = truth, .measured = number_at(c->record, field), .resolution = (double)NAN};
	if (isnan(value.measured))
		value.marks = (char *)page_reason(c, field);
	add_calibration(c, value);
}

/* `tag` is the part after "truth:". */
static void
add_truth(const struct run_cell *c, const struct cell_line *p, const char *tag)
{
	const char *equals = strchr(tag, '=');
	char *field = xasprintf("%.*s", (int)strcspn(tag, "="), tag), *end = NULL;
	double value = equals ? strtod(equals + 1, &end) : (double)NAN;
	if (equals && (end == equals + 1 || *end || !isfinite(value)))
		die(ST_INPUT, "%s:%lu:1: the tag 'truth:%s' has no number", p->file, p->number,
		    tag);
	if (!*field)
		die(ST_INPUT, "%s:%lu:1: the tag 'truth:%s' has no field", p->file, p->number, tag);
	if (strcmp(tag, "settled") == 0) {
		add_settled(c);
	} else if (strcmp(tag, "raised") == 0 || strcmp(field, "died") == 0) {
		const char *raised = member_text(c->record, "error_value");
		double t = *raised ? strtod(raised, NULL) : (double)NAN;
		t = equals ? c->busy_t + value / 1e3 : t;
		add_true_value(c, CAL_RECORDED, "recorded_ms", (t - c->begin_t) * 1e3,
		    (p->next_t - c->begin_t) * 1e3, 0);
	} else {
		add_field(c, field, equals ? value : json_value_real_at(reported(c), field));
	}
	free(field);
}

/* Which part of added_ms is nbscope's, and which that of the machine and of the driver. */
static void
add_parts(const struct run_cell *c)
{
	static const char *const parts[][2] = {
		{"added.page_ms", "page_ms"}, {"added.question_ms", "question_ms"},
		{"added.answer_ms", "answer_ms"}, {"added.record_ms", "record_ms"},
	};
	const json_t *added = json_object_get(c->record, "added");
	for (size_t i = 0; i < COUNT(parts); i++) {
		double ms = json_value_real_at(added, parts[i][1]);
		if (!isnan(ms))
			add_true_value(c, CAL_ADDED_PART, parts[i][0], 0, ms, 0);
	}
	double driver_ms = json_value_real_at(run.record, "driver_ms");
	if (json_is_object(added) && !isnan(driver_ms))
		add_true_value(c, CAL_ADDED_PART, "driver_ms", 0, driver_ms, 0);
}

/* What every measured cell has, truth or not. */
static void
add_costs(size_t i)
{
	const struct run_cell *c = &run.cells[i];
	if (!c->profiled || isnan(c->received_t))
		return;
	add_true_value(c, CAL_UNATTRIBUTED, "unattributed_ms", 0,
	    json_value_real_at(c->record, "unattributed_ms"), fmax(5, 20 * c->client_s));
	add_true_value(c, CAL_SCRIPT, "script_ms", 0, json_value_real_at(c->record, "script_ms"),
	    0);
	if (i + 1 == run.n || lines[i].performed || isnan(lines[i + 1].start_t))
		return;
	double next_t = lines[i + 1].start_t;
	double added_ms = (next_t - fmax(c->end_t, c->done_t)) * 1e3;
	double settle_ms = json_value_real_at(json_object_get(run.record, "settings"), "settle_ms");
	if (json_is_true(json_object_get(c->record, "waited"))) {
		add_true_value(c, CAL_ADDED_OUTPUT, "added_output_ms", 0, added_ms, settle_ms);
	} else {
		add_true_value(c, CAL_ADDED, "added_ms", 0, added_ms, 0);
		add_parts(c);
	}
	if (isfinite(c[1].pressed_t))
		add_true_value(c, CAL_MOVING, "moving_ms", 0, (c[1].pressed_t - next_t) * 1e3, 0);
}

/* A cell that is compared with itself in other runs has no other values, and none in a page that
 * captures itself or under a profiler, which slow it down. */
static void
add_cell(size_t i)
{
	json_t *tag;
	size_t k;
	bool compared = false;
	profile_truth_end(run.cells[i].record);
	json_array_foreach(json_object_get(run.cells[i].record, "tags"), k, tag) {
		const char *word = json_is_string(tag) ? json_string_value(tag) : "";
		if (strncmp(word, "truth:", 6) == 0)
			add_truth(&run.cells[i], &lines[i], word + 6);
		if (strncmp(word, "overhead:", 9) != 0)
			continue;
		if (!word[9])
			die(ST_INPUT, "%s:%lu:1: the tag '%s' has no field", lines[i].file,
			    lines[i].number, word);
		add_overhead(&run.cells[i], word + 9);
		compared = true;
	}
	if (!compared && !captured && !profiled)
		add_costs(i);
}

/* The true values of a gesture are those of its name. */
static void
add_gesture(json_t *record)
{
	struct run_cell c = {.record = record};
	json_object_set(record, "cell_id", json_object_get(record, "name"));
	const char *field;
	json_t *truth;
	json_object_foreach((json_t *)reported(&c), field, truth) {
		char *metric = xasprintf("interaction.%s", field);
		bool whole = strcmp(member_text(record, "status"), "completed") == 0;
		add_calibration(&c, (struct calibration){.kind = calibration_kind(metric),
		    .metric = metric, .truth = json_number_value(truth),
		    .measured = whole ? json_value_real_at(record, field) : (double)NAN,
		    .resolution = (double)NAN});
		free(metric);
	}
}

/* ---- a run ------------------------------------------------------------------------- */

static void
end_run(void)
{
	json_t *gesture;
	size_t g;
	json_array_foreach(gestures, g, gesture)
		add_gesture(gesture);
	json_decref(gestures);
	gestures = json_array();
	for (size_t i = 0; i < run.n; i++)
		add_cell(i);
	loaded_run_clear(&run);
	n_lines = 0;
	json_decref(truths);
	truths = NULL;
	sampled = captured = profiled = false;
}

static void
begin_console(void)
{
	json_decref(console);
	console = json_pack("{s:i, s:i, s:i, s:i}", "console_error", 0, "exception", 0,
	    "rejection", 0, "not_loaded", 0);
}

/* Lines on the console come before the record of the cell that they belong to. */
static void
on_console(struct scan *s)
{
	char *kind = scan_string(s, "kind");
	if (kind && console && !span_null(scan_get(s, "cell_index"))) {
		json_int_t n = json_integer_value(json_object_get(console, kind));
		json_object_set_new(console, kind, json_integer(n + 1));
	}
	free(kind);
}

/* The cell that reports truths raises them as an error "Truth". */
static void
read_truths(const struct lines *in, const json_t *cell)
{
	if (strcmp(member_text(cell, "error_name"), "Truth") != 0)
		return;
	char *error = NULL;
	const char *value = member_text(cell, "error_value");
	json_decref(truths);
	truths = json_parse_text(value, strlen(value), "error_value", &error);
	if (!truths)
		warn("%s:%lu: cell '%s': %s", in->name, in->number, member_text(cell, "cell_id"),
		    error);
	free(error);
	const char *id;
	json_t *known;
	json_object_foreach(truths, id, known)
		captured = captured || json_is_array(json_object_get(known, "settled"));
}

static void
on_cell(const struct lines *in)
{
	json_t *record = run.cells[run.n - 1].record;
	*XAPPEND(lines, n_lines) = (struct cell_line){in->name, in->number, start_t, NAN, false};
	start_t = NAN;
	json_object_set(record, "console", console);
	begin_console();
	read_truths(in, record);
}

static void
read_gesture(const char *line, size_t len)
{
	json_array_append_new(gestures, json_loadb(line, len, 0, NULL));
	if (n_lines)
		lines[n_lines - 1].performed = true;
}

static void
read_other_record(struct scan *s, const char *line, size_t len)
{
	if (scan_type_is(s, "sample"))
		sampled = true;
	else if (scan_type_is(s, "console"))
		on_console(s);
	else if (scan_type_is(s, "interaction"))
		read_gesture(line, len);
	else if (profile_truth_add(run.n ? run.cells[run.n - 1].record : NULL, s))
		profiled = true;
	else if (!as_table && !scan_type_is(s, "fault") && !scan_type_is(s, "viz"))
		xoutput_line(line, len);
}

static void
check_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	enum run_record kind = run_record_kind(s);
	if (kind == RUN_OTHER || kind == RUN_WATCH)
		read_other_record(s, line, len);
	if (kind == RUN_OTHER)
		return;
	if (kind == RUN_BEGIN)
		end_run();
	else if (kind != RUN_WATCH && !reader.open)
		die(ST_INPUT, "%s:%lu:1: no run record before this record", in->name, in->number);
	size_t before = run.n;
	loaded_run_read(&run, &reader, s, in, line, len);
	/* A record comes when the one before it had been written. */
	double t = kind == RUN_END ? reader.end.t : reader.cell.t;
	if (before && kind != RUN_BEGIN && kind != RUN_WATCH && isnan(lines[before - 1].next_t))
		lines[before - 1].next_t = t;
	if (kind == RUN_BEGIN) {
		without_page = json_is_null(json_object_get(run.record, "browser"));
		start_t = NAN;
		begin_console();
	} else if (kind == RUN_CELL_START) {
		start_t = t;
	} else if (kind == RUN_CELL) {
		on_cell(in);
	} else if (kind == RUN_END) {
		end_run();
	}
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	signal(SIGINT, SIG_IGN);
	if (earlier && !as_table)
		opt_die(&usage, "--before requires --table");
	if (earlier)
		xcalibration_read_before(earlier);
	xscan_files(argv + first, check_record);
	end_run();
	enum exit_status truth = calibration_rows(as_table, earlier != NULL);
	if (as_table && n_left_out)
		printf("%zu values are left out: only a page knows them, and runs had no browser\n",
		    n_left_out);
	enum exit_status overhead = sampling_overhead_rows(as_table);
	xoutput_close();
	if (truth == ST_UNKNOWN && !sampling_overhead_any())
		warn("no measured cell in the input");
	/* A difference is worse than a doubt. */
	return (int)(truth == ST_DIFFERS || !sampling_overhead_any() ? truth : overhead);
}
