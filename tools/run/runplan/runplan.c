/* runplan: which runs are due, in which state they are, where their files are, and which
 * programs make them.
 * In:  `combination` records; the settings and files of a label; its runs on disk.
 * Out: a `run_plan` record for each run, then the combination.  A run is stale if it was not made
 * from what it would be made from now, whatever the dates of files are. */
#include "digest.h"
#include "made_from.h"
#include "plan_command.h"
#include "plan_identity.h"
#include "planned_run.h"
#include "profile_spec.h"
#include "run_settings.h"
#include "base/atomic_file.h"
#include "base/die.h"
#include "base/file.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/str.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "machine/memory_limit.h"
#include "run/cell_status.h"
#include "text/memory_need.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <unistd.h>

enum { PLAN_LIMIT_BYTES = 1 << 30 };

static struct layout at = {NULL, "current"};
static const char *settings, *pass, *specs, *rerun, *target, *output;
static bool insecure, with_label, commands;
static const struct opt opts[] = {
	{'l', "label", OPT_STRING, &at.label, 0, 0, "LABEL", "the runs' label, default current"},
	{0, "settings", OPT_STRING, &settings, 0, 0, "FILE",
	    "settings, as lines NAME=VALUE; default: those of the label's last runs"},
	{0, "profile", OPT_STRING, &pass, 0, 0, "PASS",
	    "plan runs under the profilers of PASS, such as lines or functions+dask"},
	{0, "specs", OPT_STRING, &specs, 0, 0, "FILE",
	    "with --profile: plan runs of the notebooks in FILE, with what to find in each"},
	{0, "rerun", OPT_STRING, &rerun, 0, 0, "WHICH",
	    "failed: make those runs again that did not complete; all: every required one"},
	{0, "target", OPT_STRING, &target, 0, 0, "NAME",
	    "what make makes of these runs, for messages; default profile"},
	{0, "with-label", OPT_FLAG, &with_label, 0, 0, NULL, "show the label with the progress"},
	{0, "insecure", OPT_FLAG, &insecure, 0, 0, NULL,
	    "let the programs accept any TLS certificate of the server"},
	{0, "commands", OPT_FLAG, &commands, 0, 0, NULL,
	    "only print the command of each required run, as one line for a shell"},
	{'o', "output", OPT_STRING, &output, 0, 0, "FILE",
	    "write FILE, unless it has the same content already"},
	{0},
};
static const struct opt_usage usage = {"runplan", "[options] USECASE [COMBINATIONS]",
	"Plans the runs of a use case: which are due, where their files are, how they are made.",
	opts};

static bool to_run;	/* a required run is not current */
static bool noise_measured;	/* by a run that is planned */
static bool damaged;	/* a run is */
static long repeat = 1;
static bool film;
static char **files;	/* names of runs on disk, sorted */
static size_t n_files;
static json_t *asked;	/* {path: t}: runs that were requested again */
static struct expr *need;	/* of memory; NULL: not known */
static struct memory_limit limit;
static struct buf plan = {.limit = PLAN_LIMIT_BYTES};

/* ---- one run ------------------------------------------------------------------------- */

static bool
is_asked_again(const struct planned_run *r)
{
	enum cell_status status = r->ends.run.end.status;
	bool failed = (status != CELL_COMPLETED && status != CELL_SKIPPED) ||
	    r->executed_state == STATE_MISSING || r->executed_state == STATE_DAMAGED;
	if (r->required && rerun && (failed || strcmp(rerun, "all") == 0))
		return true;
	return json_value_real_at(asked, r->path) == r->ends.run.t;
}

static void
judge(struct planned_run *r)
{
	xplanned_run_judge(r);
	if (r->state == STATE_CURRENT && is_asked_again(r)) {
		r->state = STATE_RERUN;
		r->reason = xstrdup("requested again");
	}
}

static json_t *
command_of(const struct planned_combination *c, const struct planned_run *r)
{
	bool due = planned_run_is_due(r) && !c->skip;
	struct plan_command p = {insecure, due && !noise_measured, with_label, target};
	noise_measured |= due;
	return r->required && r->now ? plan_command(c, r, &p) : NULL;
}

static void
put_run(const struct planned_combination *c, struct planned_run *r)
{
	judge(r);
	damaged |= r->state == STATE_DAMAGED;
	to_run |= planned_run_is_due(r);
	json_t *command = command_of(c, r);
	if (commands && command) {
		xplan_command_print(command, insecure);
	} else if (!commands) {
		json_t *record = planned_run_record(c, r);
		json_object_set(record, "command", command ? command : json_null());
		json_text_add(&plan, record);
		buf_add(&plan, "\n", 1);
		json_decref(record);
	}
	json_decref(command);
	planned_run_free(r);
}

static void
plan_run(const struct planned_combination *c, const struct layout_run *as, bool required,
    const json_t *now)
{
	struct planned_run r = {.as = *as, .label = c->at.label, .required = required, .now = now,
	    .path = layout_of_run(&c->at, LAYOUT_RECORD, as),
	    .executed = layout_of_run(&c->at, LAYOUT_EXECUTED, as)};
	r.ends.run.end.status = CELL_STATUSES;
	r.ends.run.t = (double)NAN;
	put_run(c, &r);
}

/* ---- one combination ------------------------------------------------------------------- */

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

static bool
is_required(const struct layout_run *as, bool selected)
{
	bool asked_for = as->repetition == LAYOUT_FILM ? film : as->repetition <= repeat;
	return selected && !as->pass && asked_for;
}

/* A run on disk that is not required. */
static void
plan_other(const struct planned_combination *c, const struct layout_run *as, const json_t *now)
{
	json_t *profile = as->pass ? profile_spec_settings(&c->at, c->name, as->pass) : NULL;
	json_t *own = profile ? xmade_from_now(c->notebook, profile) : NULL;
	plan_run(c, as, false, as->pass ? own : now);
	json_decref(own);
	json_decref(profile);
}

static void
plan_others(const struct planned_combination *c, bool selected, const json_t *now)
{
	size_t n = strlen(c->name), i = first_from(c->name);
	for (; i < n_files && strncmp(files[i], c->name, n) == 0; i++) {
		char *of = NULL;
		struct layout_run as = {.name = c->name};
		if (layout_read_run(files[i], c->name, &of, &as.repetition)) {
			as.pass = of;
			if (!is_required(&as, selected))
				plan_other(c, &as, now);
		}
		free(of);
	}
}

static void
plan_combination(const struct planned_combination *c, bool selected)
{
	json_t *profile = pass ? profile_spec_settings(&c->at, c->name, pass) : NULL;
	json_t *now = xmade_from_now(c->notebook, profile);
	struct layout_run as = {c->name, pass, 1};
	for (; selected && as.repetition <= repeat; as.repetition++)
		plan_run(c, &as, true, now);
	as.repetition = LAYOUT_FILM;
	if (selected && film)
		plan_run(c, &as, true, now);
	if (!pass)
		plan_others(c, selected, now);
	json_decref(now);
	json_decref(profile);
}

static void
read_params(struct planned_combination *c, struct scan *record, const struct lines *in)
{
	static struct scan params;
	scan_members(&params, scan_get(record, "params"));
	double rate = span_number(scan_get(&params, "ui_network_throttling"));
	c->network_mb_s = rate >= 0 ? rate : -1;
	if (!need)
		return;
	c->memory_bytes = xmemory_need_bytes(need, &params, in->name, in->number, c->name);
	if (c->memory_bytes > limit.bytes)
		c->skip = memory_need_reason(c->memory_bytes, limit.bytes);
}

static void
read_combination(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	if (scan_type_is(s, "combination")) {
		struct planned_combination c = {.at = at, .name = scan_string(s, "name"),
		    .memory_bytes = (double)NAN};
		if (!c.name || !*c.name || strchr(c.name, '/'))
			die(ST_INPUT, "%s:%lu:1: the combination has no \"name\" that is a "
			    "file name", in->name, in->number);
		c.notebook = layout_notebook(&at, c.name);
		bool selected = !span_is(scan_get(s, "selected"), "false");
		read_params(&c, s, in);
		if (specs)
			selected = xprofile_spec_write(&at, c.name, pass);
		plan_combination(&c, selected);
		free(c.notebook);
		free(c.name);
		free(c.skip);
	}
	if (!commands) {
		buf_add(&plan, line, len);
		buf_add(&plan, "\n", 1);
	}
}

/* ---- all -------------------------------------------------------------------------------- */

static void
xlist_runs(void)
{
	char *runs = layout_runs(&at);
	DIR *d = opendir(runs);
	if (!d && errno != ENOENT)
		die(ST_SYSTEM, "cannot read the folder '%s':", runs);
	for (struct dirent *e; d && (e = readdir(d)); )
		if (e->d_name[0] != '.' && str_ends_with(e->d_name, ".jsonl")) {
			*XAPPEND(files, n_files) = xstrdup(e->d_name);
		}
	if (d)
		closedir(d);
	free(runs);
	if (n_files)
		qsort(files, n_files, sizeof *files, str_compare);
}

static void
xread_asked(void)
{
	char *path = layout_runs_file(&at, "rerun"), *line;
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

static void
xread_settings(void)
{
	char *path = settings ? xstrdup(settings) : layout_runs_file(&at, "settings");
	xrun_settings_read(path, settings ? NULL : at.label);
	const char *times = run_settings_of_plan("repeat");
	const char *shots = run_settings_of_plan("screenshots");
	repeat = times ? xopt_int(times, 0, 1000000, "repeat") : 1;
	film = !pass && shots && strcmp(shots, "film") == 0;
	need = xmemory_need_parse(run_settings_of_plan("memory_bytes"));
	if (need)
		xmemory_limit_read(&limit);
	made_from_find(&at);
	free(path);
}

/* The file keeps its date if nothing changed, so that make has nothing to do. */
static void
xwrite_plan(void)
{
	size_t n;
	char *before = output ? file_read(output, PLAN_LIMIT_BYTES, &n) : NULL;
	if (!before || n != plan.n || memcmp(before, plan.p, n) != 0)
		xatomic_file_put_buf(output, &plan);
	free(before);
}

static void
check_options(int operands)
{
	if (rerun && strcmp(rerun, "failed") && strcmp(rerun, "all"))
		opt_die(&usage, "--rerun must be failed or all, not '%s'", rerun);
	if (specs && !pass)
		opt_die(&usage, "--specs requires --profile");
	if (operands < 1 || operands > 2)
		opt_die(&usage, "a USECASE is required, and at most one file of COMBINATIONS");
}

static void
make_plan(char *combinations)
{
	char *list[] = {combinations, NULL}, *digests = layout_runs_file(&at, "digests");
	if (specs)
		xprofile_spec_read(specs);
	xdigest_remember(digests);
	xread_asked();
	xlist_runs();
	xscan_files(list, read_combination);
	if (!commands)
		xwrite_plan();
	xdigest_save();
	free(digests);
}

static struct plan_identity
identify_plan(int argc, char **argv, const char *combinations)
{
	static const char *const own[] = {"settings", "rerun", "profile", "digests"};
	const struct layout_run any = {"", NULL, 1};
	struct plan_identity p;
	char *runs = layout_runs(&at), *notebook = layout_notebook(&at, "");
	char *executed = layout_of_run(&at, LAYOUT_EXECUTED, &any);
	plan_identity_begin(argc, argv, limit.bytes, output);
	plan_identity_add(combinations);
	plan_identity_add_made(dirname(notebook));
	plan_identity_add_made(dirname(executed));
	plan_identity_add_made(runs);
	for (size_t i = 0; i < COUNT(own); i++) {
		char *path = layout_runs_file(&at, own[i]);
		plan_identity_add(path);
		free(path);
	}
	for (size_t i = 0; i <= LAYOUT_FILES; i++) {
		char *path = i < LAYOUT_FILES ? layout_files(&at, i) : layout_interactions(&at);
		plan_identity_add(path);
		free(path);
	}
	plan_identity_end(&p);
	free(executed);
	free(notebook);
	free(runs);
	return p;
}

/* A plan in a file that was made from what there is now is not made again. */
int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage), before = -1;
	check_options(argc - first);
	at.folder = argv[first];
	char *own = layout_combinations(&at), *kept = layout_runs_file(&at, "planned");
	char *combinations = argc - first == 2 ? argv[first + 1] : own;
	bool may_keep = output && !rerun && !specs && strcmp(combinations, "-") != 0;
	struct plan_identity identity = {.settled = false};
	xread_settings();
	if (may_keep) {
		identity = identify_plan(argc, argv, combinations);
		before = plan_identity_recall(&identity, kept);
	}
	if (before < 0) {
		make_plan(combinations);
		before = to_run ? ST_DIFFERS : ST_OK;
		may_keep &= !damaged && identity.settled;
		if (may_keep) {
			identity = identify_plan(argc, argv, combinations);
			plan_identity_store(&identity, kept, before);
		}
	}
	xoutput_close();
	return before;
}
