/* cellmetrics: the metrics of cells, interactions and notebooks, from the records of runs.
 * Reads the records that cellrun writes, of one run or of many; writes one cell_metrics for
 * each code cell, run or not, one interaction_metrics for each gesture, and one notebook_metrics
 * for each run.  Values are copied as text: a sweep has millions of records. */
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "cell_samples.h"
#include "cell_values.h"
#include "json/json_text.h"
#include "json/member.h"
#include "metric_line.h"
#include "machine/energy_share.h"
#include "run/run_interaction.h"
#include "run/run_reader.h"
#include "run/run_word.h"
#include "speed_index.h"

#include <signal.h>

enum { MAX_CELLS = 1000000, MAX_STARTED = 1000 };

static long min_samples = 2;
static const struct opt opts[] = {
	{0, "min-samples", OPT_INT, &min_samples, 1, 1000000, "N",
		"samples that a cell needs for its minimum and maximum CPU use; default 2"},
	{0},
};
static const struct opt_usage usage = {"cellmetrics", "[options] [FILE...]",
	"Computes the metrics of cells, interactions and notebooks from the records of runs.", opts};

static struct run_reader reader;

/* The run that is being read. */
static struct {
	bool open;
	enum cell_status status;	/* where no run_end gives it */
	long cells, executed, profiled;
	unsigned char *seen;	/* by index */
	char *name;
	json_t *marks;
	json_t *gestures;	/* {name of a cell's interaction: how many have it} */
	struct cell_sums sums;
	long failed;		/* the index of the first cell that did; 0: none */
	struct buf error;	/* that cell's error_name, error_value and reason */
	bool reasoned;
	long console_errors;	/* of the cell that runs */
	long between_errors;	/* of the run, between its cells */
	double first_t, last_t;	/* of the cells that were measured, on the samples' clock */
	bool filmed;		/* no time of it counts */
	bool listened;		/* a person ran it: any cell any number of times, and new ones */
	long started;		/* a cell_start whose cell has not come; 0: none */
	struct buf started_cell;	/* its id, tags and profiled */
} run;

/* Cells that have started and are not recorded yet: a person may run several at a time. */
static struct { long index; double t; } started[MAX_STARTED];
static size_t n_started;

static struct energy_share_settings energy;
static struct { const char *name; unsigned long number; } at;	/* the present line */

static _Noreturn void
refuse(const char *reason)
{
	die(ST_INPUT, "%s:%lu:1: %s", at.name, at.number, reason);
}

/* Adds `words` to the run's marks, each once. */
static void
add_marks(json_t *words)
{
	json_t *word, *have;
	size_t i, k;
	json_array_foreach(words, i, word) {
		bool known = false;
		json_array_foreach(run.marks, k, have)
			known = known || json_equal(have, word);
		if (!known)
			json_array_append(run.marks, word);
	}
	json_decref(words);
}

static void
note_failure(struct scan *s, const struct run_cell *c)
{
	run.failed = c->index;
	member_span(&run.error, "error_name", scan_get(s, "error_name"));
	member_span(&run.error, "error_value", scan_get(s, "error_value"));
	if (run.status == CELL_NOT_RUN)
		run.status = c->status;
	struct span reason = scan_get(s, "reason");
	run.reasoned = !span_null(reason);
	if (run.reasoned)
		member_span(&run.error, "reason", reason);
}

static void
check_status(enum cell_status status)
{
	if (status == CELL_STATUSES)
		refuse("the cell has no known \"status\"");
}

static void
check_index(long index)
{
	if (index < 1 || index > (run.listened ? MAX_CELLS : run.cells))
		refuse("the cell has no \"cell_index\" from 1 to the run's \"code_cells\"");
}

static void
drop_started(size_t i)
{
	memmove(started + i, started + i + 1, (--n_started - i) * sizeof *started);
}

/* Takes one out; returns when the first of the others started, INFINITY if there is none. */
static double
end_started(long index)
{
	double first_t = INFINITY;
	for (size_t i = 0; i < n_started; i++)
		if (started[i].index == index) {
			drop_started(i);
			break;
		}
	for (size_t i = 0; i < n_started; i++)
		first_t = fmin(first_t, started[i].t);
	return first_t;
}

static void
read_values(struct cell_values *m, struct scan *s, const struct cell_context *c)
{
	if (run.filmed)
		cell_values_read_film(m, c);
	else
		cell_values_read(m, s, c);
}

static void
on_cell(struct scan *s, const struct run_cell *c)
{
	check_index(c->index);
	check_status(c->status);
	bool ran = cell_status_outcome(c->status) != CELL_LEFT_OUT, measured = ran && c->profiled;
	if (!run.listened && run.seen[c->index])
		refuse("a second record of this cell in the run");
	if (c->index <= run.cells)
		run.seen[c->index] = 1;
	run.started = 0;
	run.executed += ran;
	run.profiled += measured;
	struct cell_values m;
	struct cell_context ends = {{0}, c->pressed_t - c->page_shift_s, c->turn_t, c->end_t,
		reader.memory_bytes, (size_t)min_samples, run.console_errors, &energy};
	if (measured) {
		run.first_t = fmin(run.first_t, ends.from_t);
		run.last_t = fmax(run.last_t, ends.to_t);
		read_values(&m, s, &ends);
		cell_sums_add(&run.sums, &m);
	}
	metric_line_cell(s, c->index, cell_status_shown(c->status), measured ? &m : NULL, &ends);
	cell_samples_forget_before(end_started(c->index) + c->page_shift_s);
	speed_index_forget();
	run.console_errors = 0;
	struct span marks = scan_get(s, "marks");
	if (!span_null(marks) && !span_is(marks, "[]"))
		add_marks(span_json(marks));
	if (!run.failed && ran && c->status != CELL_COMPLETED)
		note_failure(s, c);
}

/* Those of one name in a cell are numbered, so that each is the same one in all runs. */
static void
number_name(struct buf *name, struct span cell)
{
	char *key = xasprintf("%.*s %s", cell.p ? (int)cell.n : 0, cell.p ? cell.p : "", name->p);
	json_int_t n = json_integer_value(json_object_get(run.gestures, key)) + 1;
	json_object_set_new(run.gestures, key, json_integer(n));
	free(key);
	name->n -= n > 1;
	if (n > 1)
		buf_addf(name, " (%" JSON_INTEGER_FORMAT ")\"", n);
}

/* What a person or cellinteract did after a cell: no sum of cells has any of it. */
static void
on_interaction(struct scan *s)
{
	static struct buf name;
	double t = span_number(scan_get(s, "t")), from_t = t + run_page_shift_s(&reader);
	double index = span_number(scan_get(s, "cell_index"));
	enum cell_status status = run_word_status(scan_get(s, "status"));
	check_status(status);
	run_interaction_name(&name, s);
	number_name(&name, scan_get(s, "cell_index"));
	struct cell_values m;
	struct cell_context ends = {{name.p, name.n}, t, from_t, from_t + run_interaction_time(s),
		reader.memory_bytes, (size_t)min_samples, 0, &energy};
	read_values(&m, s, &ends);
	cell_sums_add_interaction(&run.sums, &m);
	metric_line_cell(s, index >= 1 && index <= MAX_CELLS ? (long)index : 0,
	    cell_status_shown(status), &m, &ends);
	speed_index_forget();
}

/* `end` is the run_end's record, or NULL: the run was incomplete. */
static void
end_run(struct scan *end)
{
	static const char cut[] = "\"interrupted\"";
	struct span reason = end ? scan_get(end, "reason") : (struct span){cut, sizeof cut - 1};
	enum cell_status status = end ? reader.end.status : run.status;
	check_status(status);
	const char *left_out = cell_status_shown(status == CELL_SKIPPED ? status : CELL_NOT_RUN);
	for (long i = 1; i <= run.cells && !run.listened; i++) {
		const struct buf *cell = i == run.started ? &run.started_cell : NULL;
		if (!run.seen[i])
			metric_line_missing(i, left_out, cell, !end, reason);
	}
	if (!end) {
		warn("%s: run '%s' has no run_end: incomplete", at.name, run.name);
		add_marks(json_pack("[s]", "incomplete"));
	}
	struct range sampled = cell_samples_times();
	if (sampled.max < run.first_t || sampled.min > run.last_t)
		warn("%s: run '%s': every sample %s the cells: "
		    "was procsample run on a machine with a different clock?", at.name, run.name,
		    sampled.max < run.first_t ? "predates" : "is later than");
	/* Most of these come after a cell whose output stays blank. */
	if (isfinite(run.sums.number[M_console_errors]))
		run.sums.number[M_console_errors] += (double)run.between_errors;
	if (run.sums.partial && !run.filmed)
		add_marks(json_pack("[s]", "partial"));
	struct buf *out = metric_line_begin("notebook_metrics");
	member_number(out, "total_cells", (double)run.cells, true);
	member_number(out, "executed_cells", (double)run.executed, true);
	member_number(out, "profiled_cells", (double)run.profiled, true);
	member_text(out, "execution_status", cell_status_shown(status));
	cell_sums_put(out, &run.sums);
	member_number(out, "wall_s", end ? reader.end.wall_s : (double)NAN, false);
	member_number(out, "open_s", end ? reader.end.open_s : (double)NAN, false);
	member_number(out, "loading_s", end ? reader.end.loading_s : (double)NAN, false);
	member_number(out, "failed_cell", run.failed ? (double)run.failed : (double)NAN, true);
	if (run.failed)
		buf_add(out, run.error.p, run.error.n);
	else
		member_raw(out, "\"error_name\":null,\"error_value\":null,");
	if (!run.reasoned)
		member_span(out, "reason", reason);
	char *marks = json_text_of(run.marks);
	member_span(out, "marks", (struct span){marks, strlen(marks)});
	free(marks);
	metric_line_about();
	metric_line_end();
	run.open = false;
}

static void
on_run(struct scan *s)
{
	if (reader.code_cells < 0 || reader.code_cells > MAX_CELLS)
		refuse("the run has no \"code_cells\" from 0 to 1000000");
	free(run.name);
	free(run.seen);
	json_decref(run.marks);
	json_decref(run.gestures);
	run.name = scan_string(s, "name");
	if (!run.name || !scan_get(s, "notebook").p)
		refuse("the run has no \"name\" or no \"notebook\"");
	run.open = true;
	run.reasoned = false;
	run.status = CELL_NOT_RUN;
	run.cells = reader.code_cells;
	run.filmed = reader.filmed;
	run.listened = reader.listened;
	run.executed = run.profiled = run.failed = run.started = 0;
	run.error.n = 0;
	run.marks = json_array();
	run.gestures = json_object();
	run.console_errors = run.between_errors = 0;
	run.first_t = run.last_t = NAN;
	cell_samples_forget();
	n_started = 0;
	run.seen = memset(xmalloc((size_t)run.cells + 1), 0, (size_t)run.cells + 1);
	cell_sums_start(&run.sums);
	metric_line_run(s);
}

static void
on_cell_start(struct scan *s, const struct run_cell *c)
{
	struct span tags = scan_get(s, "tags");
	bool profiled = !span_lists(tags, "skip_profiling");
	check_index(c->index);
	run.started = c->index;
	if (n_started == MAX_STARTED)
		drop_started(0);
	started[n_started].index = c->index;
	started[n_started++].t = c->t;
	run.started_cell.n = 0;
	member_span(&run.started_cell, "cell_id", scan_get(s, "cell_id"));
	member_span(&run.started_cell, "heading", scan_get(s, "heading"));
	member_span(&run.started_cell, "tags", tags);
	member_raw(&run.started_cell, profiled ? "\"profiled\":true," : "\"profiled\":false,");
}

/* What broke gives the run's status, unless a cell or the run's end gives one. */
static void
on_fault(struct scan *s)
{
	enum cell_status status = run_word_status(scan_get(s, "what"));
	if (run.status == CELL_NOT_RUN && status != CELL_STATUSES)
		run.status = status;
}

static void
on_console(struct scan *s)
{
	if (span_is_word(scan_get(s, "kind"), "dropped"))
		return;
	if (span_null(scan_get(s, "cell_index")))
		run.between_errors++;
	else
		run.console_errors++;
}

/* The report looks for the stages of a cell by the name and the repetition of its run. */
static void
pass_spark_record(struct scan *s, const char *line, size_t len)
{
	struct span first = s->m[0].value;	/* the type */
	bool stage = scan_type_is(s, "spark_stage");
	struct buf *out = metric_line_begin(stage ? "spark_stage" : "spark_application");
	out->n--;
	buf_add(out, first.p + first.n, (size_t)(line + len - 1 - (first.p + first.n)));
	member_raw(out, ",");
	metric_line_end();
}

/* A record that the run reader does not read. */
static void
read_between_cells(struct scan *s, const char *line, size_t len)
{
	if (scan_type_is(s, "sample"))
		cell_samples_read(s);
	else if (scan_type_is(s, "fault"))
		on_fault(s);
	else if (scan_type_is(s, "film"))
		speed_index_read(s);
	else if (scan_type_is(s, "console"))
		on_console(s);
	else if (run.open && scan_type_is(s, "interaction"))
		on_interaction(s);
	else if (scan_type_is(s, "spark_stage") || scan_type_is(s, "spark_application"))
		pass_spark_record(s, line, len);
	else if (!scan_type_is(s, "viz") && !scan_type_is(s, "sampler") &&
	    !scan_type_is(s, "remote_sampler") && !scan_type_is(s, "interaction_step"))
		xoutput_line(line, len);
}

static void
measure_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	at.name = in->name;
	at.number = in->number;
	enum run_record kind = run_record_kind(s);
	if (!run.open && (kind == RUN_CELL || kind == RUN_CELL_START || kind == RUN_END))
		refuse("no run record before this cell or run_end record");
	if (run.open && kind == RUN_BEGIN)
		end_run(NULL);
	if (kind == RUN_OTHER) {
		read_between_cells(s, line, len);
		return;
	}
	run_read(&reader, s);
	if (kind == RUN_BEGIN)
		on_run(s);
	else if (kind == RUN_CELL_START)
		on_cell_start(s, &reader.cell);
	else if (kind == RUN_CELL)
		on_cell(s, &reader.cell);
	else if (kind == RUN_END)
		end_run(s);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	signal(SIGINT, SIG_IGN);
	xenergy_share_settings(&energy);
	xscan_files(argv + first, measure_record);
	if (run.open)
		end_run(NULL);
	xoutput_close();
	return ST_OK;
}
