/* cellmetrics: what each cell and each notebook cost, from the raw records of runs.
 * Reads the records that cellrun writes, of one run or of many; writes one
 * cell_metrics for each code cell, run or not, and one notebook_metrics for each
 * run.  Values are copied as text: a sweep has millions of records. */
#include "cellturn.h"
#include "energy.h"
#include "metric.h"
#include "metricline.h"
#include "sampled.h"
#include "visual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1000000 };

static long min_samples = 2;
static const struct opt opts[] = {
	{'s', "min-samples", OPT_INT, &min_samples, 1, 1000000, "N", "samples within a cell for its min and max of CPU; default 2"},
	{0},
};
static const struct usage usage = {"cellmetrics", "[FILE...]",
	"Turns raw run records into one record a cell and one a notebook.", opts};

enum { COMPLETED, FAILED, TIMED_OUT, NOT_SETTLED, NO_VIEWER, KERNEL_DIED, BROWSER_DIED, SERVER_LOST, SKIPPED, NOT_RUN };
static const struct { const char *word, *shown; } statuses[] = {
	[COMPLETED] = {"completed", "Completed"}, [FAILED] = {"failed", "Failed"}, [TIMED_OUT] = {"timed_out", "Timed Out"},
	[NOT_SETTLED] = {"not_settled", "Not Settled"}, [NO_VIEWER] = {"no_viewer", "No Viewer"},
	[KERNEL_DIED] = {"kernel_died", "Kernel Died"}, [BROWSER_DIED] = {"browser_died", "Browser Died"},
	[SERVER_LOST] = {"server_lost", "Server Lost"}, [SKIPPED] = {"skipped", "Skipped"}, [NOT_RUN] = {"not_run", "Not Run"},
};

/* The run that is being read. */
static struct {
	bool open;
	size_t status;		/* where no run_end will say it */
	long cells, executed, profiled;
	unsigned char *seen;	/* by index */
	char *name;
	json_t *marks;
	struct sums sums;
	long failed;		/* the index of the first cell that did; 0: none */
	struct buf error;	/* that cell's error_name, error_value and reason */
	bool reasoned;
	double memory_bytes;	/* the machine's */
	long console_errors;	/* of the cell that runs */
	long between_errors;	/* of the run, between its cells */
	bool kernel_here;	/* on the clock that samples have */
	double first_t, last_t;	/* of the cells that were measured, on the samples' clock */
	bool filmed;		/* no time of it counts */
	bool listened;		/* a person ran it: any cell any number of times, and new ones */
	long started;		/* a cell_start whose cell has not come; 0: none */
	struct buf started_cell;	/* its id, tags and profiled */
} run;

/* What has begun and is not recorded yet: a person may run several at a time. */
enum { MOST_BEGUN = 1000 };
static struct { long index; double t; } begun[MOST_BEGUN];
static size_t n_begun;

static struct energy_settings energy;
static struct { const char *name; unsigned long number; } at;	/* the line that is being taken */

static _Noreturn void
refuse(const char *reason)
{
	die(ST_INPUT, "%s:%lu:1: %s", at.name, at.number, reason);
}

/* `words` into the run's marks, each once. */
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
note_failure(struct scan *s, long index, size_t status)
{
	run.failed = index;
	put_member(&run.error, "error_name", scan_get(s, "error_name"));
	put_member(&run.error, "error_value", scan_get(s, "error_value"));
	if (run.status == NOT_RUN)
		run.status = status;
	struct span reason = scan_get(s, "reason");
	run.reasoned = !span_null(reason);
	if (run.reasoned)
		put_member(&run.error, "reason", reason);
}

static size_t
status_of(struct scan *s)
{
	struct span word = scan_get(s, "status");
	for (size_t i = 0; i < COUNT(statuses); i++)
		if (word.p && word.n == strlen(statuses[i].word) + 2 && memcmp(word.p + 1, statuses[i].word, word.n - 2) == 0)
			return i;
	refuse("no \"status\" that is known");
}

static long
index_of(struct scan *s)
{
	double x = span_number(scan_get(s, "cell_index"));
	if (!(x >= 1 && x <= (double)(run.listened ? MOST_CELLS : run.cells) && x == floor(x)))
		refuse("no \"cell_index\" from 1 to the run's \"code_cells\"");
	return (long)x;
}

/* How far the samples' clock is ahead of the page's, where a browser on another
 * machine, or a clock that was set, made them differ by more than can be told. */
static double
samples_ahead_s(struct scan *s)
{
	double offset_ms = span_number(scan_get(s, "clock_offset_ms")), bound_ms = span_number(scan_get(s, "clock_bound_ms"));
	return run.kernel_here && fabs(offset_ms) > bound_ms ? offset_ms / 1000 : 0;
}

/* From the press to the last thing that happened; a cell that never ended has
 * its client time alone. */
static struct cell_ends
ends_of(struct scan *s)
{
	double pressed = span_number(scan_get(s, "pressed_t")), client_ms = span_number(scan_get(s, "client_ms"));
	double from = pressed + samples_ahead_s(s), to = from + client_ms / 1000;
	from = fmax(from, cell_turn_t(s, run.kernel_here));	/* before that samples are other cells' */
	return (struct cell_ends){.pressed_t = pressed, .from_t = from, .to_t = to, .memory_bytes = run.memory_bytes,
		.min_samples = (size_t)min_samples, .console_errors = run.console_errors, .energy = &energy};
}

static void
begun_drop(size_t i)
{
	memmove(begun + i, begun + i + 1, (--n_begun - i) * sizeof *begun);
}

/* When the first of those that are left began; INFINITY: none is. */
static double
begun_ended(long index)
{
	double first_t = INFINITY;
	for (size_t i = 0; i < n_begun; i++)
		if (begun[i].index == index) {
			begun_drop(i);
			break;
		}
	for (size_t i = 0; i < n_begun; i++)
		first_t = fmin(first_t, begun[i].t);
	return first_t;
}

static void
take_cell(struct scan *s)
{
	long index = index_of(s);
	size_t status = status_of(s);
	bool ran = status != SKIPPED && status != NOT_RUN;
	bool measured = ran && span_is(scan_get(s, "profiled"), "true");
	if (!run.listened && run.seen[index])
		refuse("a cell that came before in this run");
	if (index <= run.cells)
		run.seen[index] = 1;
	run.started = 0;
	run.executed += ran;
	run.profiled += measured;
	struct metrics m;
	struct cell_ends ends;
	if (measured) {
		ends = ends_of(s);
		run.first_t = fmin(run.first_t, ends.from_t);
		run.last_t = fmax(run.last_t, ends.to_t);
		if (run.filmed)
			read_film(&m, &ends);
		else
			read_metrics(&m, s, &ends);
		sums_add(&run.sums, &m);
	}
	metricline_cell(s, index, statuses[status].shown, measured ? &m : NULL, &ends);
	sampled_forget_before(begun_ended(index) + samples_ahead_s(s));
	visual_forget();
	run.console_errors = 0;
	struct span marks = scan_get(s, "marks");
	if (!span_null(marks) && !span_is(marks, "[]"))
		add_marks(span_json(marks));
	if (!run.failed && ran && status != COMPLETED)
		note_failure(s, index, status);
}

/* `end` is the run_end's record, or NULL: the run was torn. */
static void
end_run(struct scan *end)
{
	struct span reason = end ? scan_get(end, "reason") : (struct span){0};
	size_t status = end ? status_of(end) : run.status;
	for (long i = 1; i <= run.cells && !run.listened; i++)
		if (!run.seen[i])
			metricline_missing(i, statuses[status == SKIPPED ? SKIPPED : NOT_RUN].shown, i == run.started ? &run.started_cell : NULL, !end, reason);
	if (!end) {
		warn("%s: run '%s' has no run_end: torn", at.name, run.name);
		add_marks(json_pack("[s]", "torn"));
	}
	struct range sampled = sampled_times();
	if (sampled.max < run.first_t || sampled.min > run.last_t)
		warn("%s: run '%s': all samples lie %s its cells and tell nothing of them: is their clock another?", at.name, run.name,
		    sampled.max < run.first_t ? "before" : "after");
	/* Most often it is an error after a cell that leaves its viewer blank. */
	if (isfinite(run.sums.value[CONSOLE]))
		run.sums.value[CONSOLE] += (double)run.between_errors;
	if (run.sums.partial && !run.filmed)
		add_marks(json_pack("[s]", "partial"));
	struct buf *out = metricline_begin("notebook_metrics");
	member_number(out, "total_cells", (double)run.cells, true);
	member_number(out, "executed_cells", (double)run.executed, true);
	member_number(out, "profiled_cells", (double)run.profiled, true);
	member_text(out, "execution_status", statuses[status].shown);
	sums_put(out, &run.sums);
	member_number(out, "wall_s", end ? span_number(scan_get(end, "wall_ms")) / 1000 : (double)NAN, false);
	member_number(out, "open_s", end ? span_number(scan_get(end, "open_ms")) / 1000 : (double)NAN, false);
	member_number(out, "loading_s", end ? span_number(scan_get(end, "loading_ms")) / 1000 : (double)NAN, false);
	member_number(out, "failed_cell", run.failed ? (double)run.failed : (double)NAN, true);
	if (run.failed)
		buf_add(out, run.error.p, run.error.n);
	else
		put_raw(out, "\"error_name\":null,\"error_value\":null,");
	if (!run.reasoned)
		put_member(out, "reason", reason);
	char *marks = json_text(run.marks);
	put_member(out, "marks", (struct span){marks, strlen(marks)});
	free(marks);
	metricline_about();
	metricline_end();
	run.open = false;
}

static void
take_run(struct scan *s)
{
	if (run.open)
		end_run(NULL);
	double cells = span_number(scan_get(s, "code_cells"));
	if (!(cells >= 0 && cells <= MOST_CELLS && cells == floor(cells)))
		refuse("no \"code_cells\" from 0 to 1000000 in the run");
	free(run.name);
	free(run.seen);
	json_decref(run.marks);
	run.name = span_string(scan_get(s, "name"));
	if (!run.name || !scan_get(s, "notebook").p)
		refuse("no \"name\" or no \"notebook\" in the run");
	run.open = true;
	run.reasoned = false;
	run.status = NOT_RUN;
	run.cells = (long)cells;
	run.executed = run.profiled = run.failed = run.started = 0;
	run.error.n = 0;
	run.marks = json_array();
	static struct scan machine;
	scan_members(&machine, scan_get(s, "machine"));
	run.memory_bytes = span_number(scan_get(&machine, "memory_bytes"));
	static struct scan settings;
	scan_members(&settings, scan_get(s, "settings"));
	run.filmed = span_is(scan_get(&settings, "filmed"), "true");
	run.listened = span_is(scan_get(&settings, "listen"), "true");
	run.console_errors = run.between_errors = 0;
	run.kernel_here = false;
	run.first_t = run.last_t = NAN;
	sampled_forget();
	n_begun = 0;
	run.seen = memset(xmalloc((size_t)run.cells + 1), 0, (size_t)run.cells + 1);
	sums_start(&run.sums);
	metricline_run(s);
}

static void
take_start(struct scan *s)
{
	struct span tags = scan_get(s, "tags");
	json_t *list = span_json(tags), *tag;
	size_t i;
	bool profiled = true;
	json_array_foreach(list, i, tag)
		profiled = profiled && strcmp(json_is_string(tag) ? json_string_value(tag) : "", "skip_profiling") != 0;
	json_decref(list);
	run.started = index_of(s);
	if (n_begun == MOST_BEGUN)
		begun_drop(0);
	begun[n_begun].index = run.started;
	begun[n_begun++].t = span_number(scan_get(s, "t"));
	run.started_cell.n = 0;
	put_member(&run.started_cell, "cell_id", scan_get(s, "cell_id"));
	put_member(&run.started_cell, "tags", tags);
	put_raw(&run.started_cell, profiled ? "\"profiled\":true," : "\"profiled\":false,");
}

/* What broke is the run's status, if nothing says it better. */
static void
take_fault(struct scan *s)
{
	char *what = span_string(scan_get(s, "what"));
	for (size_t i = 0; what && i < COUNT(statuses); i++)
		if (run.status == NOT_RUN && strcmp(what, statuses[i].word) == 0)
			run.status = i;
	free(what);
}

static void
take_console(struct scan *s)
{
	if (span_is(scan_get(s, "kind"), "\"dropped\""))
		return;
	if (span_null(scan_get(s, "cell_index")))
		run.between_errors++;
	else
		run.console_errors++;
}

static void
take_watch(struct scan *s)
{
	if (span_is(scan_get(s, "role"), "\"kernel\"") && !span_null(scan_get(s, "pid")))
		run.kernel_here = true;
}

static bool
of_a_run(struct scan *s)
{
	return scan_type_is(s, "cell") || scan_type_is(s, "cell_start") || scan_type_is(s, "run_end");
}

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	at.name = in->name;
	at.number = in->number;
	if (!run.open && of_a_run(s))
		refuse("a cell or an end of no run");
	if (scan_type_is(s, "cell"))
		take_cell(s);
	else if (scan_type_is(s, "cell_start"))
		take_start(s);
	else if (scan_type_is(s, "run"))
		take_run(s);
	else if (scan_type_is(s, "run_end"))
		end_run(s);
	else if (scan_type_is(s, "fault"))
		take_fault(s);
	else if (scan_type_is(s, "sample"))
		sampled_take(s);
	else if (scan_type_is(s, "film"))
		visual_take(s);
	else if (scan_type_is(s, "console"))
		take_console(s);
	else if (scan_type_is(s, "watch"))
		take_watch(s);
	else if (!scan_type_is(s, "viz") && !scan_type_is(s, "sampler"))
		xput_line(line, len);
}

int
main(int argc, char **argv)
{
	int first = options(argc, argv, &usage);
	signal(SIGINT, SIG_IGN);
	xenergy_settings(&energy);
	xscan_files(argv + first, take);
	if (run.open)
		end_run(NULL);
	xclose_stdout();
	return ST_OK;
}
