/* runprofile: which functions, lines and allocations a cell's time and memory go to.
 * Reads the records of profile runs, or what it made of them; writes a table, the same folded
 * over the runs as records, the functions to time line by line, or files for other viewers. */
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "metric/metrics_record.h"
#include "profile_fold.h"
#include "profile_hot.h"
#include "profile/profile_place.h"
#include "profile_change.h"
#include "profile_files.h"
#include "profile_table.h"
#include "profile_write.h"
#include "stats/sample.h"

#include <signal.h>

/* ---- the functions whose lines are worth timing ---- */

#define MIN_SHARE 0.01	/* of the cell's time */

struct chosen_function {
	char *pattern;
	double time_s;
};
static struct chosen_function *chosen;
static size_t n_chosen;

static void
choose_function(char *pattern, double time_s)
{
	size_t i = 0;
	while (i < n_chosen && strcmp(chosen[i].pattern, pattern) != 0)
		i++;
	if (i == n_chosen) {
		*XAPPEND(chosen, n_chosen) = (struct chosen_function){pattern, 0};
	} else {
		free(pattern);
	}
	chosen[i].time_s += time_s;
}

static int
by_time(const void *pa, const void *pb)
{
	const struct chosen_function *a = pa, *b = pb;
	return a->time_s != b->time_s ? a->time_s < b->time_s ? 1 : -1 :
	    strcmp(a->pattern, b->pattern);
}

static const double *order_s;
static int
by_order_s(const void *pa, const void *pb)
{
	size_t a = *(const size_t *)pa, b = *(const size_t *)pb;
	return order_s[a] != order_s[b] ? order_s[a] < order_s[b] ? 1 : -1 : (a > b) - (a < b);
}

static void
choose_in_cell(const struct profile_cell *c, double share)
{
	double *time_s = profile_hot_times(c), all = 0, sum = 0;
	size_t inner = profile_hot_inner(c);
	size_t *order = xmalloc((c->n_functions + 1) * sizeof *order), n = 0;
	for (size_t i = 0; i < c->n_functions; i++)
		if (profile_place_owner(c->functions[i].file) == OWNER_PACKAGE &&
		    time_s[i] > MIN_SHARE * profile_fold_wall_s(c, "functions", 0)) {
			order[n++] = i;
			all += time_s[i];
		}
	order_s = time_s;
	qsort(order, n, sizeof *order, by_order_s);
	for (size_t i = 0; i < n && sum < share * all; i++) {
		const struct profile_function *f = &c->functions[order[i]];
		char *pattern = profile_place_pattern(f->file, f->function);
		sum += time_s[order[i]];
		if (pattern)
			choose_function(pattern, time_s[order[i]]);
	}
	if (inner < c->n_functions && share > 0) {
		const struct profile_function *f = &c->functions[inner];
		char *pattern = profile_place_pattern(f->file, f->function);
		if (pattern)
			choose_function(pattern, f->cumulative_s);
	}
	free(order);
	free(time_s);
}

/* Writes to stdout the patterns of the functions which, in at least one cell, hold this share of
 * the time of the packages' functions, and the innermost one that takes half of a cell with what
 * it calls: those with most time first. */
static void
profile_choice_put(const struct profile_fold *f, double share)
{
	for (size_t i = 0; i < f->n; i++)
		if (!f->cells[i].page)
			choose_in_cell(&f->cells[i], share);
	if (n_chosen)
		qsort(chosen, n_chosen, sizeof *chosen, by_time);
	for (size_t i = 0; i < n_chosen; i++)
		xoutput_line(chosen[i].pattern, strlen(chosen[i].pattern));
}

/* ---- the times of cells without a profiler ---- */

struct cost_sample {
	double *median;	/* to be set */
	double *v;
	size_t n;
};
static struct cost_sample *samples;
static size_t n_samples;
static struct profile_fold *profiles;

static void
append_cost(double *median, double cost_s)
{
	size_t i = 0;
	while (i < n_samples && samples[i].median != median)
		i++;
	if (i == n_samples)
		*XAPPEND(samples, n_samples) = (struct cost_sample){.median = median};
	if (isfinite(cost_s))
		*XAPPEND(samples[i].v, samples[i].n) = cost_s;
}

static void
read_cost(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	if (metrics_kind_of(s) != METRICS_CELL)
		return;
	struct metrics_record m = metrics_record_of(s, in);
	double kernel_s = metrics_record_number(&m, M_kernel_execution_time_metric);
	double client_s = metrics_record_number(&m, M_client_execution_time_metric);
	char *usecase = scan_string(s, "usecase"), *name = scan_string(s, "name");
	char *source = scan_string(s, "source");
	for (size_t i = 0; i < profiles->n && !m.film && isfinite(kernel_s); i++) {
		struct profile_cell *c = &profiles->cells[i];
		if (!c->index || c->gesture || (double)c->index < m.index ||
		    (double)c->index > m.index ||
		    (c->usecase && usecase && strcmp(c->usecase, usecase) != 0))
			continue;
		for (size_t k = 0; k < c->n_passes; k++) {
			if (c->passes[k].names &&
			    !(name && json_object_get(c->passes[k].names, name)))
				continue;
			append_cost(&c->passes[k].without_s, kernel_s);
			append_cost(&c->client_s, k ? NAN : client_s);
			c->changed |= source && c->source && strcmp(source, c->source) != 0;
		}
	}
	free(source);
	free(usecase);
	free(name);
}

/* Reads it from cell_metrics records, those of the same notebooks and cells. */
static void
xprofile_cost_read(struct profile_fold *f, const char *path)
{
	char *list[] = {(char *)(uintptr_t)path, NULL};
	profiles = f;
	xscan_files(list, read_cost);
	for (size_t i = 0; i < n_samples; i++) {
		struct cost_sample *s = &samples[i];
		s->n = sample_sort(s->v, s->n);
		*s->median = s->n ? sample_median(s->v, s->n) : (double)NAN;
		free(s->v);
	}
	free(samples);
}

enum { TOP = 15 };

static const char *hot_share, *files, *metrics;
static int format, sort;
static long top = TOP;
static const char **base_files;	/* ends in NULL */
static size_t n_base_files;

static void
call_base(const char *path)
{
	base_files = xrealloc(base_files, (n_base_files + 2) * sizeof *base_files);
	base_files[n_base_files++] = path;
	base_files[n_base_files] = NULL;
}

static const struct opt opts[] = {
	{'f', "format", OPT_CHOICE, &format, 0, 0, "NAME", "table (the default) or json",
		.words = "table json"},
	{'S', "sort", OPT_CHOICE, &sort, 0, 0, "KEY",
		"sort functions by own (the default), cumulative or calls",
		.words = "own cumulative calls"},
	{'n', "top", OPT_INT, &top, 1, 1000000, "N", "list N rows of each kind, default 15"},
	{0, "hot", OPT_STRING, &hot_share, 0, 0, "SHARE",
		"only name the functions of packages that hold this share of a cell's time"},
	{0, "base", OPT_CALL, NULL, 0, 0, "FILE",
		"only show what changed against these profile runs; may be repeated", call_base},
	{0, "files", OPT_STRING, &files, 0, 0, "DIR",
		"also write the profilers' own files to DIR"},
	{0, "metrics", OPT_STRING, &metrics, 0, 0, "FILE",
		"compare the cells' kernel time with that in these metrics"},
	{0},
};
static const struct opt_usage usage = {"runprofile", "[options] [FILE...]",
	"Summarises profile runs: the functions, lines and allocations of each cell.", opts};

static struct profile_fold fold, base;

static void
fold_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	profile_fold_read(&fold, s, in);
}

static void
fold_base_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	profile_fold_read(&base, s, in);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	double share = hot_share ? xopt_real(hot_share, 0, 1, "--hot") : 0;
	bool records = format == 1;
	if (base_files && hot_share)
		opt_die(&usage, "only one of --base and --hot is possible");
	if (hot_share && records)
		opt_die(&usage, "--hot writes no records");
	signal(SIGINT, SIG_IGN);
	if (files)
		profile_files_open(&fold, files);
	xscan_files(argv + first, fold_record);
	profile_fold_finish(&fold);
	if (!fold.n)
		die(ST_UNKNOWN, "cannot tell: no profile in the input");
	if (metrics)
		xprofile_cost_read(&fold, metrics);
	if (files)
		xprofile_files_stacks(&fold);
	if (base_files) {
		xscan_files((char **)(uintptr_t)base_files, fold_base_record);
		profile_fold_finish(&base);
	}
	if (base_files)
		xprofile_change_put(&base, &fold, records);
	else if (hot_share)
		profile_choice_put(&fold, share);
	else if (records)
		profile_write(&fold);
	else
		profile_table_put(&fold, (enum profile_sort)sort, (size_t)top);
	xoutput_close();
	return ST_OK;
}
