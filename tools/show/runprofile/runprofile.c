/* runprofile: which functions, lines and allocations a cell's time and memory go to.
 * Reads the records of profile runs, or what it made of them; writes a table, the same folded
 * over the runs as records, the functions to time line by line, or files for other viewers. */
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "profile_change.h"
#include "profile_choice.h"
#include "profile_cost.h"
#include "profile_files.h"
#include "profile/profile_fold.h"
#include "profile_table.h"
#include "profile_write.h"

#include <signal.h>
#include <string.h>

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
