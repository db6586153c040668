/* runkeep: passes a run's records on and keeps them in a file.
 * The file appears under its name, whole, when the input ends after a run_end;
 * otherwise nothing of it stays.  A run costs minutes, so it is kept even when
 * the one who reads the output has left. */
#include "keep.h"
#include "scan.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *refuse, *why;
static const struct opt opts[] = {
	{'r', "refuse", OPT_STRING, &refuse, 0, 0, "STATUS,...", "do not keep a run that ended so, as in browser_died,server_lost"},
	{'w', "why", OPT_STRING, &why, 0, 0, "FILE", "write there, in a line, why a run was not kept"},
	{0},
};
static const struct usage usage = {"runkeep", "[options] FILE",
	"Passes a run's records on, and keeps them in FILE once the run has ended.", opts};

static struct saving kept;
static char *temp;	/* kept.temp, for the signal handler */
static bool ended;
static char *status, *reason;	/* of the run_end; NULL: it says none */
static int output_error;	/* errno of the first write that failed */

static void
on_signal(int sig)
{
	unlink(temp);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void
xopen(const char *path)
{
	xkeep_open(&kept, path);
	temp = xstrdup(kept.temp);
	catch_signal(SIGTERM, on_signal);
	catch_signal(SIGHUP, on_signal);
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);	/* a file too large is a write that fails */
}

/* Unbuffered: a line is seen when it comes, and what fails is seen here. */
static void
pass(const char *line, size_t len)
{
	struct buf b = {.limit = LINE_LIMIT_BYTES + 1};
	buf_add(&b, line, len);
	buf_add(&b, "\n", 1);
	for (size_t done = 0; done < b.n && !output_error; ) {
		ssize_t n = write(STDOUT_FILENO, b.p + done, b.n - done);
		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			output_error = errno;
	}
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
take(struct scan *s, const struct lines *in, const char *line, size_t len)
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
	pass(line, len);
}

/* Whoever wants to know made the folder; one that is gone was taken away with him,
 * and is not made again. */
static void
tell_why(const char *text)
{
	struct saving s;
	int bad = save_open(&s, why);
	if (!bad) {
		fprintf(s.f, "%s\n", text);
		bad = save_commit(&s);
	}
	if (bad && errno != ENOENT)
		die(ST_SYSTEM, "cannot write '%s':", why);
}

_Noreturn static void
not_kept(const char *path, char *text)
{
	/* keep.c has one file under way. */
	save_abort(&kept);
	if (why)
		tell_why(text);
	die(ST_DIFFERS, "'%s' is not kept: %s", path, text);
}

int
main(int argc, char **argv)
{
	int first = options(argc, argv, &usage);
	if (argc - first != 1)
		die_usage(&usage, "one FILE is wanted");
	const char *path = argv[first];
	xopen(path);
	xscan_files(argv + argc, take);
	if (!ended)
		not_kept(path, xstrdup("the input ended without a run_end"));
	if (is_refused(status))
		not_kept(path, xasprintf("the run ended as %s%s%s", status, reason && *reason ? ": " : "", reason ? reason : ""));
	if (save_commit(&kept) != 0)
		die(ST_SYSTEM, "cannot write '%s':", path);
	if (output_error == EPIPE)
		return ST_SYSTEM;	/* the reader left: not our news */
	errno = output_error;
	if (output_error)
		die(ST_SYSTEM, "cannot write to standard output:");
	xclose_stdout();
	return ST_OK;
}
