/* runprofile: which functions, lines and allocations a cell's time and memory go to.
 * Reads the records of profile runs, or what it made of them; writes a table, the same folded
 * over the runs as records, or files for other viewers. */
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "metric/metrics_record.h"
#include "profile_fold.h"
#include "profile_change.h"
#include "profile_files.h"
#include "profile_table.h"
#include "profile_write.h"
#include "stats/sample.h"

#include <signal.h>

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

enum { TOP = 15, MAX_LINES = 30 };

static const char *files, *metrics;
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
	{'f', "format", OPT_CHOICE, &format, 0, 0, "NAME", "table (the default), json or sentences",
		.words = "table json sentences"},
	{'S', "sort", OPT_CHOICE, &sort, 0, 0, "KEY",
		"sort functions by own (the default), cumulative or calls",
		.words = "own cumulative calls"},
	{'n', "top", OPT_INT, &top, 1, 1000000, "N", "list N rows of each kind, default 15"},
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
	bool records = format == 1;
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
	else if (records)
		profile_write(&fold);
	else if (format == 2)
		profile_table_sentences(&fold, MAX_LINES);
	else
		profile_table_put(&fold, (enum profile_sort)sort, (size_t)top);
	xoutput_close();
	return ST_OK;
}
