/* runexec: makes the runs that are due: starts the programs of each `run_plan` record's command,
 * one pipe after the other.
 * In:  run_plan records; the server that labserve has put into the environment.
 * Out: the runs, by runkeep; one that a browser or a server has lost is tried again. */
#include "base/clock.h"
#include "base/die.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/installation.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/signals.h"
#include "base/str.h"
#include "json/lines.h"
#include "json/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PROGRAMS = 8, MAX_WORDS = 512, WHY_LIMIT_BYTES = 1 << 16 };

static const char *target = "profile", *shared;
static long retry = -1, last;
static const struct opt opts[] = {
	{0, "retry", OPT_INT, &retry, 0, 1000, "N",
	    "further attempts when a browser or the server died; default 1; env RETRY"},
	{0, "last", OPT_INT, &last, 1, 1e9, "N", "end with due run N; default: the last"},
	{0, "shared", OPT_STRING, &shared, 0, 0, "FILE",
	    "several take turns: FILE has the number of the next due run"},
	{0, "target", OPT_STRING, &target, 0, 0, "NAME",
	    "what make makes of these runs, for messages; default profile"},
	{0},
};
static const struct opt_usage usage = {"runexec", "[options] [FILE...]",
	"Makes the runs that are due, one after the other.", opts};

static json_t *due;	/* the records of due runs */
static long failed;
static pid_t parent;
static volatile sig_atomic_t interrupted;
static char *killed;	/* what ended an attempt; NULL: none of its programs was killed */
static int driver_status;	/* of the first program of an attempt */
static bool stopped;	/* no browser opens */
static char *stop_file;	/* with it the first of several that take turns stops all */
static const char *scratch;	/* for files of a run under way; NULL: next to its record */

static void
read_plan(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	if (scan_type_is(s, "run_plan") && span_is(scan_get(s, "due"), "true"))
		json_array_append_new(due, xlines_parse(in, line, len));
}

/* ---- the environment of a run ------------------------------------------------------------ */

/* The server of a run: that of its label, where two labels take turns. */
static void
set_server(const char *label)
{
	static const struct {
		const char *variable, *other;
		char *own;
	} variables[] = {
		{"JUPYTERLAB_URL", "OTHER_URL", NULL}, {"JUPYTERLAB_TOKEN", "OTHER_TOKEN", NULL},
		{"JUPYTERLAB_CERT", "OTHER_CERT", NULL},
		{"LABSERVE_CACHES", "OTHER_CACHES", NULL},
	};
	static char *own[COUNT(variables)];
	static bool saved;
	const char *other = str_nonempty(getenv("OTHER_LABEL"));
	for (size_t i = 0; i < COUNT(variables); i++) {
		const char *now = getenv(variables[i].variable);
		if (!saved)
			own[i] = now ? xstrdup(now) : NULL;
		if (!other)
			continue;
		bool is_other = strcmp(label, other) == 0;
		const char *value = is_other ? getenv(variables[i].other) : own[i];
		if (value)
			xsetenv(variables[i].variable, value);
		else
			unsetenv(variables[i].variable);
	}
	saved = true;
}

static void
set_number(const char *variable, long value)
{
	char *text = xasprintf("%ld", value);
	xsetenv(variable, text);
	free(text);
}

/* ---- one pipe ------------------------------------------------------------------------- */

struct words {
	char *v[MAX_WORDS];
	size_t n;
};

static void
add_word(struct words *w, const char *word)
{
	if (w->n == MAX_WORDS - 1)
		die(ST_INPUT, "a command has more than %d words", MAX_WORDS - 1);
	w->v[w->n++] = (char *)(uintptr_t)word;
}

/* A terminal's interrupt is meant for the run, whose records end then. */
static void
on_interrupt(int sig)
{
	interrupted = sig;
}

static void
end_if_interrupted(void)
{
	if (!interrupted)
		return;
	signal(interrupted, SIG_DFL);
	raise(interrupted);
}

/* Starts a program between two pipes; input and output are closed here. */
static pid_t
xstart(char *const argv[], int input, int output)
{
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0)
		die(ST_SYSTEM, "cannot fork:");
	if (pid == 0) {
		die_in_fork = true;
		signals_restore();
		dup2(input, STDIN_FILENO);
		dup2(output, STDOUT_FILENO);
		execvp(argv[0], argv);
		die(errno == ENOENT ? 127 : 126, "cannot start '%s':", argv[0]);
	}
	close(input);
	close(output);
	return pid;
}

static int
xopen_null(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die(ST_SYSTEM, "cannot open '/dev/null':");
	return fd;
}

/* Notes the first program of an attempt that was killed: the run itself cannot say it. */
static void
note_killed(const struct words *program, int status)
{
	if (!WIFSIGNALED(status) || WTERMSIG(status) == SIGPIPE || killed)
		return;
	killed = xasprintf("%s was killed by SIG%s", program->v[0],
	    signals_name(WTERMSIG(status)));
}

/* The exit status of the last program, once all have ended. */
static int
run_pipe(struct words *programs, size_t n)
{
	pid_t pids[MAX_PROGRAMS];
	int status = 0, each, input = xopen_null();
	for (size_t i = 0; i < n; i++) {
		int ends[2];
		bool is_last = i + 1 == n;
		if (!is_last && pipe2(ends, O_CLOEXEC) != 0)
			die(ST_SYSTEM, "cannot create a pipe:");
		programs[i].v[programs[i].n] = NULL;
		pids[i] = xstart(programs[i].v, input, is_last ? xopen_null() : ends[1]);
		input = is_last ? -1 : ends[0];
	}
	for (pid_t pid; (pid = wait(&each)) > 0 || errno == EINTR; ) {
		for (size_t i = 0; i < n; i++)
			if (pid == pids[i])
				note_killed(&programs[i], each);
		if (pid == pids[0])
			driver_status = WIFEXITED(each) ? WEXITSTATUS(each) : 0;
		if (pid == pids[n - 1])
			status = each;
	}
	end_if_interrupted();
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- one attempt ------------------------------------------------------------------------- */

struct attempt {
	const json_t *record;
	long number;
	const char *before;	/* how the attempts before ended; NULL: there were none */
	char *why, *files;	/* written if it is not kept; by the command of KERNEL_PREFIX */
};

static const char *
member_of(const json_t *record, const char *name)
{
	const char *value = json_string_value(json_object_get(record, name));
	if (!value)
		die(ST_INPUT, "a run_plan record has no \"%s\"", name);
	return value;
}

/* Adds the options of this attempt before the last word of the driver, the notebook. */
static void
add_attempt(struct words *w, const struct attempt *a, const char *number, const char *run_path)
{
	char *notebook = w->v[--w->n];
	if (a->number > 1) {
		add_word(w, "--attempt");
		add_word(w, number);
		add_word(w, "--before");
		add_word(w, a->before);
	}
	if (a->files) {
		add_word(w, "--run-path");
		add_word(w, run_path);
	}
	add_word(w, notebook);
}

static void
add_words(struct words *w, const json_t *argv, const struct attempt *a, bool is_last)
{
	size_t i;
	json_t *word;
	*w = (struct words){.n = 0};
	json_array_foreach(argv, i, word) {
		add_word(w, json_string_value(word));
		if (i || !is_last)
			continue;
		add_word(w, "--why");
		add_word(w, a->why);
		if (a->number <= retry)
			add_word(w, "--refuse=browser_died,server_lost");
	}
}

/* "small-n10" of "runs/current/small-n10.jsonl" */
static char *
run_name(const json_t *record)
{
	const char *run = member_of(record, "run"), *slash = strrchr(run, '/');
	const char *name = slash ? slash + 1 : run;
	return xasprintf("%.*s", (int)(strlen(name) - strlen(".jsonl")), name);
}

static int
make_attempt(const struct attempt *a)
{
	static struct words programs[MAX_PROGRAMS];
	const json_t *command = json_object_get(a->record, "command");
	size_t i, n = json_array_size(command);
	json_t *argv;
	if (n < 2 || n > MAX_PROGRAMS)
		return ST_DIFFERS;	/* its notebook is not there */
	char *number = xasprintf("%ld", a->number), *name = run_name(a->record);
	char *run_path = xasprintf("%s/%s", a->files ? a->files : "", name);
	json_array_foreach(command, i, argv) {
		add_words(&programs[i], argv, a, i + 1 == n);
		if (i == 0 && json_is_null(json_object_get(a->record, "skip")))
			add_attempt(&programs[i], a, number, run_path);
	}
	int status = run_pipe(programs, n);
	free(run_path);
	free(name);
	free(number);
	return status;
}

/* If no browser opened for an attempt, it may be that none opens: then every other run would fail,
 * each as slowly.  So the holder of this one is tried with nothing to do. */
static bool
can_open_browser(const json_t *record)
{
	static struct words holder;
	const json_t *argv = json_array_get(json_object_get(record, "command"), 0);
	const char *word = "";
	holder.n = 0;
	for (size_t i = 0; i < json_array_size(argv) && strcmp(word, "cellrun") != 0; i++) {
		if (i && strcmp(word, "--early") != 0)
			add_word(&holder, word);
		word = json_string_value(json_array_get(argv, i));
	}
	add_word(&holder, "true");
	stopped = driver_status == ST_SYSTEM && holder.n > 1 && strcmp(word, "cellrun") == 0 &&
	    run_pipe(&holder, 1) != ST_OK;
	if (stopped && (!shared || open(stop_file, O_CREAT | O_EXCL | O_CLOEXEC, 0666) >= 0))
		warn("no browser opens, so the other runs are not tried: when '%s true' succeeds, "
		    "%s %s continues", holder.v[0], installation_command(), target);
	return !stopped;
}

/* ---- one run ------------------------------------------------------------------------------ */

static char *
scratch_path(const json_t *record, const char *what)
{
	char *name = run_name(record), *path = NULL;
	const char *run = member_of(record, "run"), *slash = strrchr(run, '/');
	if (scratch)
		path = xasprintf("%s/.%s.%s", scratch, name, what);
	else
		path = xasprintf("%.*s.%s.%s", (int)(slash ? slash + 1 - run : 0), run, name, what);
	free(name);
	return path;
}

static void
xmake_folder(const char *path)
{
	if ((folder_remove(path) != 0 && errno != ENOENT) || mkdir(path, 0777) != 0)
		die(ST_SYSTEM, "cannot make the folder '%s':", path);
}

/* What the command of KERNEL_PREFIX wrote during the run that was kept. */
static void
keep_files(const struct attempt *a)
{
	const char *to = member_of(a->record, "kernel_files");
	folder_remove(to);
	/* An empty folder is not worth keeping. */
	if (a->files && rmdir(a->files) != 0 && rename(a->files, to) != 0)
		warn("cannot name '%s':", to);
}

/* Adds how an attempt ended. */
static void
note_end(struct buf *before, const struct attempt *a)
{
	size_t n;
	char *why = file_read(a->why, WHY_LIMIT_BYTES, &n);
	const char *reason = killed ? killed : why ? why : "unknown";
	buf_addf(before, "%sattempt %ld: %.*s", before->n ? "; " : "", a->number,
	    (int)strcspn(reason, "\n"), reason);
	unlink(a->why);
	free(why);
	free(killed);
	killed = NULL;
}

static bool
make_run(const json_t *record)
{
	struct buf before = {0};
	struct attempt a = {.record = record, .why = scratch_path(record, "why")};
	bool prefixed = str_nonempty(getenv("KERNEL_PREFIX")) &&
	    json_is_null(json_object_get(record, "skip"));
	int status = ST_DIFFERS;
	a.files = prefixed ? scratch_path(record, "files") : NULL;
	set_server(member_of(record, "label"));
	/* 4: the run's file cannot be written, and a second attempt would not help. */
	while (status != ST_OK && status != ST_SYSTEM && a.number <= retry && getppid() == parent) {
		if (a.number)
			note_end(&before, &a);
		a.number++;
		a.before = before.p;
		if (a.files)
			xmake_folder(a.files);
		status = make_attempt(&a);
		if (status != ST_OK && !can_open_browser(record))
			break;
	}
	if (status == ST_OK)
		keep_files(&a);
	else if (a.files)
		folder_remove(a.files);
	unlink(a.why);
	buf_free(&before);
	free(a.why);
	free(a.files);
	return status == ST_OK;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* The number of the next run of those that several processes make, and counts on. */
static long
xtake_turn(void)
{
	char text[24] = "";
	int fd = open(shared, O_RDWR | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX) != 0 || pread(fd, text, sizeof text - 1, 0) < 0)
		die(ST_SYSTEM, "cannot read '%s':", shared);
	long next = strtol(text, NULL, 10);
	int n = snprintf(text, sizeof text, "%ld\n", next + 1);
	if (next <= last && pwrite(fd, text, (size_t)n, 0) != n)
		die(ST_SYSTEM, "cannot write '%s':", shared);
	close(fd);
	return next;
}

static void
make_runs(void)
{
	for (long k = shared ? xtake_turn() : 1; k >= 1 && k <= last;
	    k = shared ? xtake_turn() : k + 1) {
		set_number("NBSCOPE_NOTEBOOK", k);
		stopped |= shared && access(stop_file, F_OK) == 0;
		failed += stopped || !make_run(json_array_get(due, (size_t)k - 1));
	}
}

static void
set_variables(void)
{
	const char *times = str_nonempty(getenv("RETRY"));
	if (retry < 0)
		retry = times ? xopt_int(times, 0, 1000, "RETRY") : 1;
	if (!getenv("NBSCOPE_NOTEBOOKS"))
		set_number("NBSCOPE_NOTEBOOKS", (long)json_array_size(due));
	if (!getenv("NBSCOPE_STARTED"))
		set_number("NBSCOPE_STARTED", (long)clock_unix_s());
	scratch = str_nonempty(getenv("NBSCOPE_SCRATCH"));
	stop_file = xasprintf("%s.stopped", shared ? shared : "");
	parent = getppid();
	signals_catch(SIGINT, on_interrupt);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	due = json_array();
	xscan_files(argv + first, read_plan);
	set_variables();
	if (!last || last > (long)json_array_size(due))
		last = (long)json_array_size(due);
	make_runs();
	if (failed)
		warn("%ld of %s runs could not be made; %s %s tries them again", failed,
		    getenv("NBSCOPE_NOTEBOOKS"), installation_command(), target);
	xoutput_close();
	return ST_OK;
}
