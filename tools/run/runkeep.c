/* runkeep: passes a run's records on and keeps them in a file.
 * The file appears under its name, whole, when the input ends after a run_end; otherwise
 * nothing of it remains. A run takes minutes, so it is kept even if the reader of the output
 * has gone. */
#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/installation.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/signals.h"
#include "base/terminal_output.h"
#include "json/lines.h"
#include "json/scan.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static const char *refuse, *why, *target = "profile";
static const struct opt opts[] = {
	{0, "refuse", OPT_STRING, &refuse, 0, 0, "STATUS,...",
	    "do not keep a run with one of these statuses: browser_died,server_lost"},
	{0, "why", OPT_STRING, &why, 0, 0, "FILE",
	    "if a run is not kept, write the reason to FILE"},
	{0, "target", OPT_STRING, &target, 0, 0, "NAME",
	    "what make is to make next after an interrupt, default profile"},
	{0},
};
static const struct opt_usage usage = {"runkeep", "[options] FILE",
	"Passes a run's records on, and saves them in FILE once the run has ended.", opts};

static struct atomic_file kept;
static char *temp;	/* kept.temp, for the signal handler */
static bool ended;
static char *status, *reason;	/* of the run_end, or NULL */
static int output_error;	/* errno of the first write that failed */
static volatile sig_atomic_t interrupted;

static void
on_signal(int sig)
{
	unlink(temp);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* A terminal's interrupt is meant for the run, whose records end then. */
static void
on_interrupt(int sig)
{
	interrupted = sig;
}

static void
xopen_kept(const char *path)
{
	xatomic_file_open(&kept, path);
	temp = xstrdup(kept.temp);
	signals_catch(SIGTERM, on_signal);
	signals_catch(SIGHUP, on_signal);
	signals_catch(SIGINT, on_interrupt);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);	/* makes writing too large a file fail */
}

/* Unbuffered: a line is passed on when it arrives, and an error is noticed then. */
static void
pass_line(const char *line, size_t len)
{
	struct buf b = {.limit = LINE_LIMIT_BYTES + 1};
	buf_add(&b, line, len);
	buf_add(&b, "\n", 1);
	if (!output_error)
		output_error = terminal_output_write(b.p, b.n);
	buf_free(&b);
}

static bool
is_refused(const char *word)
{
	size_t n = word ? strlen(word) : 0;
	for (const char *p = refuse; n && p && *p; p += strcspn(p, ","), p += *p == ',')
		if (strcspn(p, ",") == n && strncmp(p, word, n) == 0)
			return true;
	return false;
}

static void
keep_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)in;
	if (fwrite(line, 1, len, kept.f) != len || putc('\n', kept.f) == EOF)
		die(ST_SYSTEM, "cannot write '%s':", kept.path);
	if (scan_type_is(s, "run")) {
		ended = false;
	} else if (scan_type_is(s, "run_end")) {
		ended = true;
		free(status);
		free(reason);
		status = span_string(scan_get(s, "status"));
		reason = span_string(scan_get(s, "reason"));
	}
	pass_line(line, len);
}

/* The reader of this file created its folder. If the folder is gone, so is the reader. */
static void
xwrite_why(const char *text)
{
	struct atomic_file s;
	int bad = atomic_file_open(&s, why);
	if (!bad) {
		fprintf(s.f, "%s\n", text);
		bad = atomic_file_commit(&s);
	}
	if (bad && errno != ENOENT)
		die(ST_SYSTEM, "cannot write '%s':", why);
}

_Noreturn static void
die_not_kept(const char *path, char *text)
{
	/* atomic_file.c allows one file at a time. */
	atomic_file_abort(&kept);
	if (why)
		xwrite_why(text);
	if (interrupted && !ended)
		die(ST_DIFFERS, "'%s' is not kept: interrupted; the next %s %s continues", path,
		    installation_command(), target);
	die(ST_DIFFERS, "'%s' is not kept: %s", path, text);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (argc - first != 1)
		opt_die(&usage, "exactly one FILE is required");
	const char *path = argv[first];
	xopen_kept(path);
	xscan_files(argv + argc, keep_record);
	if (!ended)
		die_not_kept(path, xstrdup("the input ended without a run_end"));
	if (is_refused(status))
		die_not_kept(path, xasprintf("the run ended as %s%s%s", status,
		    reason && *reason ? ": " : "", reason ? reason : ""));
	if (atomic_file_commit(&kept) != 0)
		die(ST_SYSTEM, "cannot write '%s':", path);
	if (output_error == EPIPE)
		return ST_SYSTEM;	/* not worth a message: the reader has gone */
	errno = output_error;
	if (output_error)
		die(ST_SYSTEM, "cannot write to standard output:");
	xoutput_close();
	return ST_OK;
}
