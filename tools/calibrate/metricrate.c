/* metricrate: how often metriccmp is wrong, from measured noise.
 * Reads metrics of cells that ran several times and draws runs from them, or pairs of interleaved
 * runs, for half of the trials without a change and for half with one cell slowed down; writes
 * the false-alarm rate and the power. */
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "json/json_value.h"
#include "metric/catalogue.h"
#include "metric/metric_column.h"
#include "stats/random.h"
#include "stats/sample.h"
#include "stats/two_samples.h"
#include "table/table_metrics.h"

#include <signal.h>
#include <stdio.h>

/* Runs of a cell that are drawn from; pairs that metriccmp compares as such. */
enum { MIN_RUNS = 5, MIN_PAIRS = 6 };
enum { VALUES = 3 };	/* of a test and a repetition: the base's, the label's, the pair's */

static long cells = 100, runs = 20, trials = 50, seed = 1;
static double slow_s = 0.2, slowdown = 0.1, noise = -1;
static struct list gate;
static bool table;
static struct test_settings settings = {.alpha = 0.05, .relative = 0.05, .detect = 0.10};
static int format = -1;
static const struct opt opts[] = {
	{0, "cells", OPT_INT, &cells, 1, 100000, "N", "cells in a trial, default 100"},
	{0, "runs", OPT_INT, &runs, 1, 1000, "N", "runs of each label, default 20"},
	{0, "trials", OPT_INT, &trials, 1, 100000, "N", "trials of each kind, default 50"},
	{0, "slow", OPT_REAL, &slow_s, 0, 1e6, "S",
		"seconds that the slowed cell takes, default 0.2"},
	{0, "slowdown", OPT_REAL, &slowdown, 0, 100, "X",
		"how much slower it gets, as a share, default 0.1"},
	{0, "noise", OPT_REAL, &noise, 0, 10, "X",
		"scale the cells' noise to this share of their times"},
	{0, "seed", OPT_INT, &seed, 0, 1e15, "N", "seed of the random numbers, default 1"},
	{'g', "gate", OPT_LIST, &gate, 0, 0, "METRICS",
		"as in metriccmp; the first one is slowed down", .add = xlist_split},
	{0, "alpha", OPT_REAL, &settings.alpha, 1e-9, 0.5, "P", "as in metriccmp"},
	{0, "relative", OPT_REAL, &settings.relative, 0, 10, "X", "as in metriccmp"},
	{'f', "format", OPT_CHOICE, &format, 0, 0, "NAME", "table (default on a terminal) or json",
		.words = OPT_TABLE_OR_RECORDS},
	{0},
};
static const struct opt_usage usage = {"metricrate", "[options] [FILE...]",
	"Measures the false-alarm rate and the power of metriccmp on resampled runs.", opts};

static struct results measured;
static bool interleaved;	/* the input: its runs are in pairs, by repetition */

/* ---- the cells that runs are drawn from -------------------------------------------- */

/* A cell with its runs; a drawn run has all metrics of one run. */
static struct source_cell {
	double **side[2];	/* each metric's values by run, or of both runs of a pair */
	size_t runs;
	double *median;	/* of each metric, on both sides */
	double spread;	/* relative standard deviation of the first metric */
} *sources;
static size_t n_sources;
static const struct source_cell **candidates;	/* for the slowed cell */
static size_t n_candidates;
static double near_noise;	/* the median of their spreads, or --noise */

static double
median_of(const double *v, size_t n)
{
	double *copy = memcpy(xmalloc(n * sizeof *copy), v, n * sizeof *copy);
	double median = sample_median(copy, sample_sort(copy, n));
	free(copy);
	return median;
}

/* How many runs have all metrics; 0: they differ in that. */
static size_t
whole_runs(const struct cell_results *of)
{
	size_t n = of->metric[0].n;
	for (size_t k = 1; k < measured.metrics; k++)
		n = of->metric[k].n == n ? n : 0;
	return n;
}

static double
repetition_of(const struct cell_results *of, size_t run)
{
	return of->completed[of->metric[0].completed[run]].repetition;
}

/* The run that is paired with it: of the same label it is itself.  SIZE_MAX: there is none. */
static size_t
partner_of(const struct cell_results *x, size_t run, const struct cell_results *y)
{
	size_t k = 0, n = whole_runs(y);
	while (k < n && !(x == y ? k == run : repetition_of(y, k) == repetition_of(x, run)))
		k++;
	return k < n ? k : SIZE_MAX;
}

static void
start_source(struct source_cell *d, size_t runs_at_most)
{
	d->median = xmalloc(measured.metrics * sizeof *d->median);
	for (size_t side = 0; side < 2; side++) {
		d->side[side] = xmalloc(measured.metrics * sizeof *d->side[side]);
		for (size_t k = 0; k < measured.metrics; k++)
			d->side[side][k] = xmalloc((runs_at_most + 1) * sizeof(double));
	}
}

/* Both labels have the median of x: what they differ by is no noise. */
static void
append_source(const struct cell_results *x, const struct cell_results *y)
{
	struct source_cell d = {0};
	size_t n = whole_runs(x), partner;
	start_source(&d, n);
	for (size_t i = 0; i < n; i++) {
		if ((partner = partner_of(x, i, y)) == SIZE_MAX)
			continue;
		for (size_t k = 0; k < measured.metrics; k++) {
			d.side[0][k][d.runs] = x->metric[k].v[i];
			d.side[1][k][d.runs] = y->metric[k].v[partner];
		}
		d.runs++;
	}
	if (d.runs < MIN_RUNS)
		return;
	for (size_t k = 0; k < measured.metrics; k++) {
		d.median[k] = median_of(d.side[0][k], d.runs);
		double other = median_of(d.side[1][k], d.runs);
		for (size_t i = 0; other > 0 && i < d.runs; i++)
			d.side[1][k][i] *= d.median[k] / other;
	}
	for (size_t i = 0; i < 2 * d.runs; i++)
		d.spread += pow(d.side[i % 2][0][i / 2] / d.median[0] - 1, 2) /
		    (double)(2 * (d.runs - 1));
	d.spread = d.median[0] > 0 ? sqrt(d.spread) : 0;
	sources = xgrow(sources, n_sources, sizeof *sources);
	sources[n_sources++] = d;
}

static void
find_sources(void)
{
	for (size_t i = 0; i < measured.cells; i++) {
		const struct result_cell *cell = &measured.cell[i];
		if (cell->interaction)
			continue;
		if (interleaved && cell->labels > 1)
			append_source(&cell->label[0], &cell->label[1]);
		for (size_t l = 0; l < cell->labels && !interleaved; l++)
			append_source(&cell->label[l], &cell->label[l]);
	}
}

/* A seed gives the same trials on any machine. */
static uint64_t
draw_number(uint64_t below)
{
	static uint64_t state;
	static bool started;
	if (!started)
		state = (uint64_t)seed;
	started = true;
	return random_below(&state, below);
}

/* The distance of a source's time from the slowed cell's: the logarithm of their ratio. */
static double
distance(const struct source_cell *d)
{
	return fabs(log((d->median[0] + 1e-9) / slow_s));
}

/* Donors that take from half to twice as long as the slowed cell, or the closest one. */
static void
find_near(void)
{
	size_t best = 0;
	candidates = xmalloc(n_sources * sizeof *candidates);
	for (size_t i = 0; i < n_sources; i++) {
		if (distance(&sources[i]) < log(2))
			candidates[n_candidates++] = &sources[i];
		if (distance(&sources[i]) < distance(&sources[best]))
			best = i;
	}
	if (!n_candidates)
		candidates[n_candidates++] = &sources[best];
	double *spread = xmalloc(n_candidates * sizeof *spread);
	for (size_t i = 0; i < n_candidates; i++)
		spread[i] = candidates[i]->spread;
	near_noise = noise >= 0 ? noise : sample_median(spread, sample_sort(spread, n_candidates));
	free(spread);
}

/* ---- trials ------------------------------------------------------------------------ */

/* A metric's value v, with its noise scaled to --noise, times a factor. */
static double
noisy_value(const struct source_cell *d, size_t k, double v, double factor)
{
	if (strcmp(metric_unit(measured.metric[k]), "s") != 0)
		return v;
	if (noise >= 0 && d->spread > 0 && d->median[k] > 0 && v > 0)
		v = d->median[k] * pow(v / d->median[k], noise / d->spread);
	/* Measured times have no ties, but runs drawn twice would: ties make p less exact. */
	return v * factor * (1 + (double)draw_number(1000000) * 1e-13);
}

static bool
is_peak(const char *column)
{
	for (size_t i = 0; i < METRICS; i++)
		if (strcmp(metric_catalogue[i].column, column) == 0)
			return metric_catalogue[i].over == METRIC_MAX;
	return false;
}

/* Makes it a test of pairs, as metriccmp does. */
static void
set_pairs(struct test *t, const double *x, const double *y, double *pair)
{
	size_t n = (size_t)runs;
	t->in_logs = true;
	for (size_t i = 0; i < n; i++)
		t->in_logs = t->in_logs && x[i] > 0 && y[i] > 0;
	for (size_t i = 0; i < n; i++)
		pair[i] = t->in_logs ? log(y[i] / x[i]) : y[i] - x[i];
	t->pair = pair;
	t->pairs = n;
}

/* The tests of each metric of a cell or, where total is NULL, of the notebook. */
static void
start_tests(struct test *t, double *room, const struct test *total)
{
	size_t n = (size_t)runs;
	for (size_t k = 0; k < measured.metrics; k++) {
		double *x = room + VALUES * k * n, *y = x + n;
		const char *column = measured.metric[k];
		t[k] = (struct test){.floor = metric_floor(column), .gate = true, .x = x, .y = y,
		    .more_is_better = metric_more_is_better(column), .is_total = !total,
		    .family = metric_family(column)};
		if (interleaved && n >= MIN_PAIRS)
			set_pairs(&t[k], x, y, y + n);
		else
			t[k].total = total ? &total[k] : NULL;
		t[k].m = sample_sort(x, n);
		t[k].n = sample_sort(y, n);
	}
}

/* One cell's x and y of each metric, from the same drawn runs; adds them to those of the
 * notebook.  Of a pair, either may be x: both are of the same version. */
static void
draw_values(double *room, double *sum, const struct source_cell *d, double scale, double slowed)
{
	size_t n = (size_t)runs, run = 0, swapped = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t side = 0; side < 2; side++) {
			if (!side || !interleaved)
				run = (size_t)draw_number(d->runs);
			if (!side && interleaved)
				swapped = (size_t)draw_number(2);
			for (size_t k = 0; k < measured.metrics; k++) {
				size_t at = (VALUES * k + side) * n + i;
				room[at] = noisy_value(d, k, d->side[side ^ swapped][k][run],
				    side ? scale * slowed : scale);
				sum[at] = is_peak(measured.metric[k]) ? fmax(sum[at], room[at]) :
				    sum[at] + room[at];
			}
		}
	}
}

struct rates {
	long alarms, found, flagged, tests, unknown;
};

static void
run_trial(struct test *t, double *room, bool slowed, struct rates *r)
{
	size_t each = measured.metrics, n = (size_t)cells * each;
	size_t size = VALUES * each * (size_t)runs;
	const struct source_cell *slow = candidates[draw_number(n_candidates)];
	double *sum = room + (size_t)cells * size;
	memset(sum, 0, size * sizeof *sum);
	/* Scaled from its source's time to slow_s, with the same relative noise. */
	draw_values(room, sum, slow, slow_s / slow->median[0], slowed ? 1 + slowdown : 1);
	for (size_t c = 1; c < (size_t)cells; c++)
		draw_values(room + c * size, sum, &sources[draw_number(n_sources)], 1, 1);
	for (size_t c = 0; c < (size_t)cells; c++)
		start_tests(t + c * each, room + c * size, t + n);
	start_tests(t + n, sum, NULL);
	struct test_totals result = two_samples_compare(t, n + each, &settings);
	if (slowed) {
		r->found += t[0].result == WORSE;
		return;
	}
	r->tests += (long)result.family;
	r->flagged += (long)(result.count[WORSE] + result.count[BETTER]);
	r->alarms += result.count[WORSE] > 0;
	r->unknown += !result.count[WORSE] && result.count[UNKNOWN];
}

/* ---- output ------------------------------------------------------------------------ */

/* Wilson's 95 % interval of k in n. */
static void
wilson(long k, long n, double *low, double *high)
{
	double z = 1.959963984540054, p = (double)k / (double)n, m = (double)n;
	double middle = (p + z * z / (2 * m)) / (1 + z * z / m),
	       half = z / (1 + z * z / m) * sqrt(p * (1 - p) / m + z * z / (4 * m * m));
	*low = fmax(0, middle - half);
	*high = fmin(1, middle + half);
}

static void
put_rates(const struct rates *r)
{
	double alarm_low, alarm_high, found_low, found_high;
	wilson(r->alarms, trials, &alarm_low, &alarm_high);
	wilson(r->found, trials, &found_low, &found_high);
	json_t *v = json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:f, s:b, s:f, s:I, s:s, s:f, s:b}",
	    "type", "error_rates", "trials", (json_int_t)trials, "cells", (json_int_t)cells,
	    "runs", (json_int_t)runs, "donors", (json_int_t)n_sources, "slow_s", slow_s,
	    "noise", near_noise, "noise_measured", noise < 0, "slowed_by", slowdown,
	    "seed", (json_int_t)seed, "metric", measured.metric[0], "alpha", settings.alpha,
	    "paired", interleaved && runs >= MIN_PAIRS);
	json_t *results = json_pack("{s:I, s:f, s:f, s:f, s:I, s:I, s:I, s:I, s:f, s:f, s:f}",
	    "false_alarms", (json_int_t)r->alarms, "false_alarm_rate",
	    (double)r->alarms / (double)trials, "false_alarm_low", alarm_low,
	    "false_alarm_high", alarm_high, "flagged_tests", (json_int_t)r->flagged,
	    "tests", (json_int_t)r->tests, "unknown_trials", (json_int_t)r->unknown,
	    "found", (json_int_t)r->found, "power", (double)r->found / (double)trials,
	    "power_low", found_low, "power_high", found_high);
	v = xjson_value_join(v, results);
	if (!table)
		xlines_write(v);
	else
		printf("%ld cells, %ld %s, drawn from %zu measured cells, "
		    "%ld trials of each kind (seed %ld)\n"
		    "no change:             false alarm in %ld of %ld trials (%.1f %%; 95 %%: "
		    "%.1f to %.1f); %ld of %ld tests flagged\n"
		    "a cell of %g s +%g %%: found in %ld of %ld trials (%.1f %%; 95 %%: %.1f to "
		    "%.1f); such cells %s by %.1f %%\n", cells, runs, interleaved &&
		    runs >= MIN_PAIRS ? "pairs of runs" : "runs of each label", n_sources,
		    trials, seed,
		    r->alarms, trials, 100.0 * (double)r->alarms / (double)trials, 100 * alarm_low,
		    100 * alarm_high, r->flagged, r->tests, slow_s, 100 * slowdown, r->found,
		    trials, 100.0 * (double)r->found / (double)trials, 100 * found_low,
		    100 * found_high, noise < 0 ? "vary" : "are scaled to vary", 100 * near_noise);
	json_decref(v);
}

static void
on_other(struct results *m, struct scan *s, const struct lines *in)
{
	(void)m, (void)in;
	interleaved |= scan_type_is(s, "interleaving");
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	table = opt_wants_table(format);
	xresults_start(&measured, &gate, "client,kernel,memory,bytes");
	measured.on_other = on_other;
	signal(SIGINT, SIG_IGN);
	xtable_metrics_read(&measured, argv + first, &(struct list){0});
	find_sources();
	if (!n_sources)
		die(ST_UNKNOWN,
		    "cannot tell: no cell has %d runs of one label (use REPEAT=%d or more)",
		    MIN_RUNS, MIN_RUNS);
	find_near();
	struct rates rates = {0};
	size_t tests = ((size_t)cells + 1) * measured.metrics;	/* of a notebook and its cells */
	struct test *t = xmalloc(tests * sizeof *t);
	double *room = xmalloc(tests * VALUES * (size_t)runs * sizeof *room);
	for (long i = 0; i < trials; i++) {
		run_trial(t, room, false, &rates);
		run_trial(t, room, true, &rates);
	}
	put_rates(&rates);
	xoutput_close();
	return ST_OK;
}
