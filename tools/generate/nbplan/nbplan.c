/* nbplan: combinations, past runs -> what the sweep would cost.
 * In:  `combination` records, each after its runs' `run_plan`; the runs that these name.
 * Out: how many notebooks, how long, how much memory and disk.
 */
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/str.h"
#include "json/json_value.h"
#include "json/lines.h"
#include "plan_table.h"
#include "run/cell_status.h"
#include "run/run_state.h"
#include "run/run_word.h"
#include "text/memory_need.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* ---- space on disks ---- */

struct disk_use {
	size_t n;		/* files, or folders */
	double mean_bytes;	/* on disk; NaN if n is 0 */
};

enum { BLOCK_BYTES = 512 };

/* NULL if the folder does not exist. */
static DIR *
xopen_folder(const char *dir)
{
	DIR *d = opendir(dir);
	if (!d && errno != ENOENT)
		die(ST_SYSTEM, "cannot open the folder '%s':", dir);
	return d;
}

static double
stat_bytes(const struct stat *st)
{
	return fmax((double)st->st_size, (double)st->st_blocks * BLOCK_BYTES);
}

static double
inner_bytes(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	double bytes = 0;
	struct stat st;
	for (struct dirent *f; d && (f = readdir(d)); )
		if (fstatat(fd, f->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
			bytes += stat_bytes(&st);
	if (d)
		closedir(d);
	return bytes;
}

/* Sums the files in `dir` whose names end in `ending`; NULL: its folders with their files. */
static struct disk_use
disk_use_of(const char *dir, const char *ending)
{
	struct disk_use use = {.mean_bytes = (double)NAN};
	double bytes = 0;
	struct stat st;
	DIR *d = dir ? xopen_folder(dir) : NULL;
	for (struct dirent *f; d && (f = readdir(d)); ) {
		if (f->d_name[0] == '.' || fstatat(dirfd(d), f->d_name, &st, 0) != 0)
			continue;
		bool counts = ending ? S_ISREG(st.st_mode) && str_ends_with(f->d_name, ending) :
		    S_ISDIR(st.st_mode);
		if (!counts)
			continue;
		use.n++;
		bytes += stat_bytes(&st) + (ending ? 0 : inner_bytes(dirfd(d), f->d_name));
	}
	if (d)
		closedir(d);
	if (use.n)
		use.mean_bytes = bytes / (double)use.n;
	return use;
}

static double
xdisk_file_bytes(const char *path)
{
	struct stat st;
	if (stat(path, &st) != 0)
		die(ST_SYSTEM, "cannot open '%s':", path);
	return stat_bytes(&st);
}

/* Bytes that this user can still write where `dir` is, or will be created; NULL or "": the
 * current folder.  NaN if the file system does not report it. */
static double
disk_free_bytes(const char *dir)
{
	char *path = xstrdup(dir && *dir ? dir : ".");
	struct statvfs fs;
	int bad;
	/* A folder that does not exist yet will be created in the one above it. */
	while ((bad = statvfs(path, &fs)) != 0 && errno == ENOENT && strcmp(path, ".") != 0) {
		char *slash = strrchr(path, '/');
		if (slash)
			slash[slash == path ? 1 : 0] = '\0';
		else
			path[0] = '.', path[1] = '\0';
	}
	free(path);
	return bad ? (double)NAN : (double)fs.f_bavail * (double)fs.f_frsize;
}

static const char *memory, *label = "current";
static const char *runs_dir, *notebooks_dir, *executed_dir, *screenshots_dir, *template;
static double machine_memory;
static long repeat = 1;
static bool as_json, each;

static const struct opt opts[] = {
	{0, "memory", OPT_STRING, &memory, 0, 0, "EXPR",
	    "bytes that a combination needs, in its parameters"},
	{0, "runs", OPT_STRING, &runs_dir, 0, 0, "DIR", "the folder that new runs are added to"},
	{0, "repeat", OPT_INT, &repeat, 1, 1000000, "N", "runs of each notebook (default 1)"},
	{'l', "label", OPT_STRING, &label, 0, 0, "LABEL", "the runs' label (default current)"},
	{0, "notebooks", OPT_STRING, &notebooks_dir, 0, 0, "DIR", "the notebooks"},
	{0, "template", OPT_STRING, &template, 0, 0, "FILE",
	    "file as large as a notebook, if there are none yet"},
	{'e', "executed", OPT_STRING, &executed_dir, 0, 0, "DIR", "executed notebooks"},
	{'s', "screenshots", OPT_STRING, &screenshots_dir, 0, 0, "DIR",
	    "screenshots, a folder per notebook"},
	{0, "machine-memory", OPT_REAL, &machine_memory, 1, 1e18, "BYTES",
	    "memory of the machine (default: this one's)"},
	{'j', "json", OPT_FLAG, &as_json, 0, 0, NULL, "write a record instead of text"},
	{0, "each", OPT_FLAG, &each, 0, 0, NULL,
	    "write only a record for each notebook that is to run"},
	{0},
};
static const struct opt_usage usage = {
	"nbplan", "[options]", "Predicts what the combinations on standard input would cost.", opts,
};

static struct expr *need;
static struct memory_limit limit;
static struct past_runs past;
static struct forecast forecast;
static struct oversized oversized;
static struct plan plan;
static size_t new_runs, new_notebooks;

/* ---- combinations ---- */

/* The required runs of the combination that follows. */
static struct state {
	long current, on_disk;
	bool skipped;
} state;

static void
on_run_state(struct scan *s)
{
	enum run_state of = run_state_of(s);
	bool current = of == STATE_CURRENT;
	if (!span_is(scan_get(s, "required"), "true"))
		return;
	state.current += current;
	state.on_disk += run_state_is_whole(of);
	state.skipped |= current && run_word_status(scan_get(s, "status")) == CELL_SKIPPED;
}

/* Predicts one run of a notebook. */
static struct prediction
predict_time(const struct past_notebook *own, struct scan *params)
{
	if (own && (own->n_complete || own->n_early)) {
		double s = past_runs_mean_s(own);
		return (struct prediction){s, s, s, false};
	}
	if (forecast.n)
		return forecast_predict(&forecast, params);
	return (struct prediction){(double)NAN, (double)NAN, (double)NAN, false};
}

static void
add_time(const struct past_notebook *own, const struct prediction *p, double runs)
{
	if (own && (own->n_complete || own->n_early)) {
		plan.early |= own->n_complete == 0;
		plan.stale |= own->stale;
	} else {
		plan.early |= forecast.early;
		plan.stale |= forecast.stale && forecast.n;
		plan.predicted++;
		plan.extrapolated += p->extrapolated;
	}
	plan.time_s += runs * (p->s + past.between_s);
	plan.low_s += runs * (p->low_s + past.between_s);
	plan.high_s += runs * (p->high_s + past.between_s);
}

static void
write_notebook(const char *name, size_t runs, double bytes, const struct prediction *time)
{
	json_t *memory_bytes = need ? json_integer((json_int_t)ceil(bytes)) : json_null();
	xlines_write_new(json_pack("{s:s, s:s, s:s, s:I, s:o, s:o, s:o, s:b}",
	    "type", "notebook_plan", "label", label, "name", name, "runs", (json_int_t)runs,
	    "memory_bytes", memory_bytes, "time_s", json_value_real(time->s),
	    "time_high_s", json_value_real(time->high_s), "extrapolated", time->extrapolated));
}

static void
add_to_run(const struct state *s, struct scan *params, double bytes, const char *name)
{
	const struct past_notebook *own = past_runs_find(&past, name);
	struct prediction time = predict_time(own, params);
	size_t runs = (size_t)(repeat - s->current);
	plan.to_run++;
	plan.runs += runs;
	new_runs += (size_t)(repeat > s->on_disk ? repeat - s->on_disk : 0);
	new_notebooks += !own;
	add_time(own, &time, (double)runs);
	if (each)
		write_notebook(name, runs, bytes, &time);
	if (bytes > plan.peak_bytes || !plan.peak_name) {
		free(plan.peak_name);
		plan.peak_name = xstrdup(name);
		plan.peak_bytes = bytes;
	}
}

static void
on_combination(struct scan *record, const struct lines *in)
{
	static struct scan params;
	struct span object = scan_get(record, "params");
	char *name = span_string(scan_get(record, "name"));
	if (!name || !object.p || *object.p != '{')
		die(ST_INPUT, "%s:%lu:1: a combination without \"%s\"", in->name, in->number,
		    name ? "params" : "name");
	scan_members(&params, object);
	double bytes = need ? xmemory_need_bytes(need, &params, in->name, in->number, name) : 0;
	bool fits = bytes <= limit.bytes, current = state.current >= repeat;
	bool done = current && !state.skipped;
	if (!plan.notebooks++)
		plan.usecase = span_string(scan_get(record, "usecase"));
	if (done)
		plan.up_to_date++;
	else if (current || !fits)
		plan.skipped++;
	else
		add_to_run(&state, &params, bytes, name);
	plan.skipped_before += current && state.skipped && fits;
	if (need)
		oversized_add(&oversized, &params, bytes, !fits && !done);
	state = (struct state){0};
	free(name);
}

static void
read_planned(struct scan *record, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	if (run_state_is_record(record))
		on_run_state(record);
	else if (scan_type_is(record, "combination") &&
	    !span_is(scan_get(record, "selected"), "false"))
		on_combination(record, in);
}

/* ---- the input is read twice ---- */

static FILE *copy;	/* of an input that cannot be read twice */

static void
on_first_reading(struct scan *record, const struct lines *in, const char *line, size_t len)
{
	(void)in;
	if (run_state_is_record(record))
		xpast_runs_add(&past, record);
	if (copy && (fwrite(line, 1, len, copy) != len || putc('\n', copy) == EOF))
		die(ST_SYSTEM, "cannot write a temporary file:");
}

/* All past runs are known before the first combination is predicted. */
static void
xread_past(char **stdin_only)
{
	off_t begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
	copy = begin < 0 ? tmpfile() : NULL;
	if (begin < 0 && !copy)
		die(ST_SYSTEM, "cannot make a temporary file:");
	xscan_files(stdin_only, on_first_reading);
	past_runs_finish(&past);
	if (copy && (fflush(copy) != 0 || dup2(fileno(copy), STDIN_FILENO) < 0))
		die(ST_SYSTEM, "cannot write a temporary file:");
	if (lseek(STDIN_FILENO, copy ? 0 : begin, SEEK_SET) < 0)
		die(ST_SYSTEM, "cannot read stdin twice:");
}

/* ---- the plan ---- */

/* The space of new files, each as large as existing ones; NaN if there is no run yet. */
static void
add_disk(void)
{
	struct disk_use runs = disk_use_of(runs_dir, ".jsonl");
	struct disk_use notebooks = disk_use_of(notebooks_dir, ".ipynb");
	struct buf uncounted = {0};
	size_t missing = plan.notebooks > notebooks.n ? plan.notebooks - notebooks.n : 0;
	if (!notebooks.n && template)
		notebooks.mean_bytes = xdisk_file_bytes(template);
	const struct { const char *what; size_t n; double each; } parts[] = {
		{"run records", new_runs, runs.mean_bytes},
		{"notebooks", notebooks_dir ? missing : 0, notebooks.mean_bytes},
		{"executed notebooks", executed_dir ? new_notebooks : 0,
		    disk_use_of(executed_dir, ".ipynb").mean_bytes},
		{"screenshots", screenshots_dir ? new_notebooks : 0,
		    disk_use_of(screenshots_dir, NULL).mean_bytes},
	};
	for (size_t i = 0; i < COUNT(parts); i++) {
		if (parts[i].n && isfinite(parts[i].each))
			plan.disk_bytes += (double)parts[i].n * parts[i].each;
		else if (parts[i].n)
			buf_addf(&uncounted, "%s%s", uncounted.n ? ", " : "", parts[i].what);
	}
	if (new_runs && !runs.n)
		plan.disk_bytes = (double)NAN;
	plan.disk_uncounted = uncounted.p;
	plan.disk_free_bytes = disk_free_bytes(runs_dir);
}

static void
start_plan(void)
{
	plan = (struct plan){.label = label, .repeat = repeat, .memory = &limit,
	    .forecast = &forecast, .oversized = need ? &oversized : NULL};
	forecast_make(&forecast, &past);
	oversized_start(&oversized, need, limit.bytes);
}

int
main(int argc, char **argv)
{
	if (opt_parse(argc, argv, &usage) != argc)
		opt_die(&usage, "unexpected operand '%s'", argv[argc - 1]);
	need = xmemory_need_parse(memory);
	if (machine_memory > 0)
		limit = (struct memory_limit){machine_memory, (double)NAN, "option"};
	else
		xmemory_limit_read(&limit);
	xread_past(argv + argc);
	start_plan();
	xscan_files(argv + argc, read_planned);
	if (!plan.notebooks)
		die(ST_INPUT, "stdin:1:1: no combination");
	if (!plan.usecase)
		plan.usecase = xstrdup("");
	add_disk();
	if (as_json)
		xlines_write(plan_table_json(&plan));
	else if (!each)
		plan_table_print(&plan);
	xoutput_close();
	if (each)
		return ST_OK;
	if (plan.disk_bytes > plan.disk_free_bytes)
		return ST_DIFFERS;
	return isfinite(plan.time_s) ? ST_OK : ST_UNKNOWN;
}
