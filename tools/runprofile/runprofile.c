/* runprofile: which functions, lines and allocations a cell's time and memory go to.
 * Reads the records of profile runs, or what it made of them; writes a table, the same folded
 * over the runs as records, the functions to time line by line, or files for other viewers. */
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "profile_choice.h"
#include "profile_cost.h"
#include "profile_files.h"
#include "profile/profile_fold.h"
#include "profile_table.h"
#include "profile_write.h"

#include <signal.h>
#include <string.h>

enum { TOP = 15 };

static const char *format = "table", *sort = "own", *hot_share, *files, *metrics;
static long top = TOP;
static const struct opt opts[] = {
	{'f', "format", OPT_STRING, &format, 0, 0, "NAME", "table (the default) or json"},
	{'s', "sort", OPT_STRING, &sort, 0, 0, "KEY",
		"sort functions by own (the default), cumulative or calls"},
	{'n', "top", OPT_INT, &top, 1, 1000000, "N", "list N rows of each kind, default 15"},
	{0, "hot", OPT_STRING, &hot_share, 0, 0, "SHARE",
		"only name the functions of packages that hold this share of a cell's time"},
	{'d', "files", OPT_STRING, &files, 0, 0, "DIR",
		"also write the profilers' own files to DIR"},
	{'m', "metrics", OPT_STRING, &metrics, 0, 0, "FILE",
		"compare the cells' kernel time with that in these metrics"},
	{0},
};
static const struct opt_usage usage = {"runprofile", "[options] [FILE...]",
	"Summarises profile runs: the functions, lines and allocations of each cell.", opts};

static struct profile_fold fold;

static void
fold_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	profile_fold_read(&fold, s, in);
}

static enum profile_sort
sort_of(const char *word)
{
	static const char *const words[] = {"own", "cumulative", "calls"};
	for (size_t i = 0; i < COUNT(words); i++)
		if (strcmp(word, words[i]) == 0)
			return (enum profile_sort)i;
	opt_die(&usage, "--sort must be own, cumulative or calls, not '%s'", word);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	enum profile_sort key = sort_of(sort);
	double share = hot_share ? xopt_real(hot_share, 0, 1, "--hot") : 0;
	bool records = strcmp(format, "json") == 0 || strcmp(format, "jsonl") == 0;
	if (!records && strcmp(format, "table") != 0)
		opt_die(&usage, "--format must be table or json, not '%s'", format);
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
	if (hot_share)
		profile_choice_put(&fold, share);
	else if (records)
		profile_write(&fold);
	else
		profile_table_put(&fold, key, (size_t)top);
	xoutput_close();
	return ST_OK;
}
