/* runstale: which runs have to be made, and why.
 * In:  `combination` records; the runs on disk, and what they say they were made from.
 * Out: a `run_state` record for each run, then the combination.  A run is stale if it
 * was not made from what it would be made from now, whatever the dates of files are. */
#include "digest.h"
#include "made_from.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/str.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "json/lines.h"
#include "json/scan.h"
#include "layout/layout.h"
#include "run/cell_status.h"
#include "run/run_ends.h"
#include "run/run_state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING ".jsonl"
#define RERUN_LIST ".rerun"	/* the run_state records of runs that were asked for again */

static const char *label = "current", *runs, *notebooks = ".", *settings, *cache, *rerun;
static const char *pass;	/* of profile runs; NULL: timed runs */
static long repeat = 1;
static bool film, all, made_from;
static const struct opt opts[] = {
	{0, "runs", OPT_STRING, &runs, 0, 0, "DIR", "the runs: NAME.jsonl, NAME@2.jsonl ..."},
	{0, "notebooks", OPT_STRING, &notebooks, 0, 0, "DIR", "the notebooks, NAME.ipynb"},
	{0, "with-file", OPT_CALL, NULL, 0, 0, "PATH",
	 "a file, or a folder with files, that the notebook uses; repeatable", made_from_add_file},
	{0, "settings", OPT_STRING, &settings, 0, 0, "FILE",
	 "settings that runs depend on, as lines NAME=VALUE"},
	{'l', "label", OPT_STRING, &label, 0, 0, "LABEL", "the runs' label, default current"},
	{0, "repeat", OPT_INT, &repeat, 0, 1000000, "N",
	 "required runs of each selected combination, default 1"},
	{0, "film", OPT_FLAG, &film, 0, 0, NULL, "require one more run of each, filmed"},
	{0, "profile", OPT_STRING, &pass, 0, 0, "PASS", "runs under the profilers of PASS"},
	{'a', "all", OPT_FLAG, &all, 0, 0, NULL, "report runs on disk that are not required, too"},
	{0, "rerun", OPT_STRING, &rerun, 0, 0, "WHICH",
	 "failed: run those again that did not complete; all: every required one"},
	{0, "cache", OPT_STRING, &cache, 0, 0, "FILE",
		"store the digests of files in FILE, for later calls"},
	{0, "made-from", OPT_FLAG, &made_from, 0, 0, NULL,
	 "only print what a run of NOTEBOOK would be made from"},
	{0},
};
static const struct opt_usage usage = {"runstale",
	"--runs DIR [options] [FILE...] | --made-from [options] NOTEBOOK",
	"Reports which runs of combinations are current, stale, missing or damaged.", opts};

static bool to_run;	/* a required run is not current */
static char **files;	/* names of runs on disk, sorted */
static size_t n_files, cap_files;
static json_t *asked;	/* {path: t}: runs that were requested again */

/* ---- one run ------------------------------------------------------------------------- */

struct candidate {
	char *name, *notebook;
	json_t *now;	/* what a run of it would be made from; NULL: its notebook does not exist */
};
struct run_file {
	char *path;
	long repetition;	/* 0: the film */
	bool required;
	enum run_state state;
	char *reason;
	struct run_ends ends;
};

/* The number of the first line that is no record; 0: there is none. */
static unsigned long
bad_line(const char *path, int fd)
{
	struct lines in = {.fd = fd, .name = path};
	struct scan s = {0};
	size_t len;
	bool good = true;
	for (char *line; good && (line = xlines_next(&in, &len));)
		good = scan_record(&s, line, len);
	free(s.m);
	buf_free(&in.buf);
	return good ? 0 : in.number;
}

/* What is wrong with the file, which the caller frees; NULL: nothing. */
static char *
damage_of(struct run_file *r, int fd)
{
	struct stat st;
	if (fstat(fd, &st) != 0)
		die(ST_SYSTEM, "cannot read '%s':", r->path);
	if (!S_ISREG(st.st_mode))
		return xstrdup("not a regular file");
	run_ends_read(&r->ends, fd, st.st_size);
	if (!r->ends.begun || !r->ends.ended)
		return xstrdup(!st.st_size ? "empty" :
		    !r->ends.begun ? "no run record at its beginning" :
		    "no run_end record at its end");
	if (digest_run_is_whole(r->path, &st))
		return NULL;
	unsigned long bad = bad_line(r->path, fd);
	if (bad)
		return xasprintf("line %lu is no record", bad);
	digest_remember_whole(r->path, &st);
	return NULL;
}

static bool
is_damaged(struct run_file *r, int fd)
{
	r->reason = damage_of(r, fd);
	if (!r->reason)
		return false;
	r->state = STATE_DAMAGED;
	warn("'%s' is damaged: %s", r->path, r->reason);
	return true;
}

static bool
is_asked_again(const struct run_file *r)
{
	enum cell_status status = r->ends.run.end.status;
	bool failed = status != CELL_COMPLETED && status != CELL_SKIPPED;
	if (r->required && rerun && (failed || strcmp(rerun, "all") == 0))
		return true;
	return json_value_real_at(asked, r->path) == r->ends.run.t;
}

static void
judge_run(struct run_file *r, const json_t *now)
{
	int fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && errno != ENOENT)
		die(ST_SYSTEM, "cannot open '%s':", r->path);
	r->state = STATE_MISSING;
	if (fd < 0 || is_damaged(r, fd)) {
		if (fd >= 0)
			close(fd);
		return;
	}
	close(fd);
	const json_t *before = r->ends.made_from;
	const char *why = !now ? "the notebook no longer exists" :
	    !json_is_object(before) ? "no record of what it was made from" : NULL;
	r->reason = why ? xstrdup(why) : made_from_difference(before, now);
	r->state = r->reason ? STATE_STALE : STATE_CURRENT;
	if (!r->reason && is_asked_again(r)) {
		r->state = STATE_RERUN;
		r->reason = xstrdup("requested again");
	}
}

static void
put_run_state(const struct candidate *c, struct run_file *r)
{
	judge_run(r, c->now);
	to_run |= r->required && r->state != STATE_CURRENT;
	enum cell_status status = r->ends.run.end.status;
	const char *word = status == CELL_STATUSES ? NULL : cell_status_word(status);
	json_t *k = r->repetition ? json_integer(r->repetition) : json_null();
	json_t *record = json_pack(
	    "{s:s, s:s, s:s, s:o, s:b, s:s?, s:s, s:s, s:b, s:s, s:o, s:o, s:o}",
	    "type", "run_state", "label", label, "name", c->name, "repetition", k,
	    "film", !r->repetition, "profile", pass, "notebook", c->notebook, "run", r->path,
	    "required", r->required, "state", run_state_word(r->state),
	    "reason", json_value_text(r->reason), "status", json_value_text(word),
	    "t", json_value_real(r->ends.run.t));
	xlines_write(record);
	json_decref(record);
	run_ends_free(&r->ends);
	free(r->reason);
	free(r->path);
}

/* ---- one combination ------------------------------------------------------------------- */

static char *
path_of(const char *name, long repetition)
{
	char *run = layout_run_name(&(struct layout_run){name, pass, repetition});
	char *path = xasprintf("%s/%s" ENDING, runs, run);
	free(run);
	return path;
}

static long
repetition_of(const char *file, const char *name)
{
	long k;
	char *of = NULL;
	bool ours = layout_read_run(file, name, &of, &k) && !of == !pass &&
	    (!pass || strcmp(of, pass) == 0);
	free(of);
	return ours ? k : -1;
}

static size_t
first_from(const char *name)
{
	size_t low = 0, high = n_files;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (strcmp(files[middle], name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
report_repetition(const struct candidate *c, long k, bool required)
{
	struct run_file r = {.path = path_of(c->name, k), .repetition = k, .required = required};
	put_run_state(c, &r);
}

static void
report_others(const struct candidate *c, bool selected)
{
	size_t n = strlen(c->name), i = first_from(c->name);
	for (; i < n_files && strncmp(files[i], c->name, n) == 0; i++) {
		long k = repetition_of(files[i], c->name);
		if (k >= 0 && !(selected && (k ? k <= repeat : film)))
			report_repetition(c, k, false);
	}
}

static void
report_combination(const struct candidate *c, bool selected)
{
	for (long k = 1; selected && k <= repeat; k++)
		report_repetition(c, k, true);
	if (selected && film)
		report_repetition(c, 0, true);
	if (all)
		report_others(c, selected);
}

static void
judge_combination(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	if (scan_type_is(s, "combination")) {
		struct candidate c = {.name = scan_string(s, "name")};
		if (!c.name || !*c.name || strchr(c.name, '/'))
			die(ST_INPUT, "%s:%lu:1: the combination has no \"name\" that is a "
			    "file name", in->name, in->number);
		c.notebook = xasprintf("%s/%s.ipynb", notebooks, c.name);
		c.now = xmade_from_now(c.notebook);
		report_combination(&c, !span_is(scan_get(s, "selected"), "false"));
		json_decref(c.now);
		free(c.notebook);
		free(c.name);
	}
	xoutput_line(line, len);
}

/* ---- all -------------------------------------------------------------------------------- */

static void
xlist_runs(void)
{
	DIR *d = all ? opendir(runs) : NULL;
	if (all && !d && errno != ENOENT)
		die(ST_SYSTEM, "cannot read the folder '%s':", runs);
	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_name[0] != '.' && str_ends_with(e->d_name, ENDING)) {
			files = xgrow(files, n_files, &cap_files, sizeof *files);
			files[n_files++] = xstrdup(e->d_name);
		}
	if (d)
		closedir(d);
	if (n_files)
		qsort(files, n_files, sizeof *files, str_compare);
}

static void
xread_asked(void)
{
	char *path = xasprintf("%s/" RERUN_LIST, runs), *line;
	struct lines in = {.fd = open(path, O_RDONLY | O_CLOEXEC), .name = path};
	size_t n;
	asked = json_object();
	while (in.fd >= 0 && (line = xlines_next(&in, &n))) {
		json_t *r = json_loadb(line, n, 0, NULL);
		const char *run = json_string_value(json_object_get(r, "run"));
		if (run)
			json_object_set(asked, run, json_object_get(r, "t"));
		else
			warn("'%s' is damaged: line %lu, which names a run to make again, is "
			    "ignored", path, in.number);
		json_decref(r);
	}
	if (in.fd >= 0)
		close(in.fd);
	buf_free(&in.buf);
	free(path);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (rerun && strcmp(rerun, "failed") && strcmp(rerun, "all"))
		opt_die(&usage, "--rerun must be failed or all, not '%s'", rerun);
	if (pass && film)
		opt_die(&usage, "--profile excludes --film");
	if (made_from && argc - first != 1)
		opt_die(&usage, "exactly one NOTEBOOK is required");
	if (!made_from && !runs)
		opt_die(&usage, "--runs is required");
	if (settings)
		xmade_from_settings(settings);
	xdigest_remember(cache);
	if (made_from) {
		json_t *now = xmade_from_now(argv[first]);
		if (!now)
			die(ST_SYSTEM, "cannot open '%s':", argv[first]);
		char *text = json_text_of(now);
		xoutput_line(text, strlen(text));
	} else {
		xread_asked();
		xlist_runs();
		xscan_files(argv + first, judge_combination);
	}
	xdigest_save();
	xoutput_close();
	return to_run ? ST_DIFFERS : ST_OK;
}
