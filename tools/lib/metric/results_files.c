/* results_files.c: metrics from files of records and from tables. */
#include "metric/results_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/die.h"
#include "base/str.h"
#include "json/csv.h"
#include "json/lines.h"

static struct results *target;

static void
read_result(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	results_read(target, s, in);
}

static bool
is_table(const char *path)
{
	static const char *const ends[] = {".csv", ".parq", ".parquet", ".CSV"};
	struct stat st;
	for (size_t i = 0; i < COUNT(ends); i++)
		if (str_ends_with(path, ends[i]))
			return true;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* table2metrics in the folder of this program. */
static char *
converter_path(void)
{
	char *self = realpath("/proc/self/exe", NULL);
	if (!self)
		die(ST_SYSTEM, "cannot read '/proc/self/exe':");
	*strrchr(self, '/') = '\0';
	char *path = xasprintf("%s/table2metrics", self);
	free(self);
	return path;
}

static _Noreturn void
exec_converter(const struct results *m, const char *table, const char *by, int out)
{
	struct buf metrics = {0};
	char *argv[8], *path = converter_path(), **next = argv;
	for (size_t i = 0; i < m->metrics; i++) {
		buf_addf(&metrics, "%s", i ? "," : "--metrics=");
		csv_text(&metrics, m->metric[i], false);
	}
	*next++ = path;
	*next++ = metrics.p;
	if (by)
		*next++ = xasprintf("--by=%s", by);
	if (m->by_file)
		*next++ = xstrdup("--files");
	*next++ = xstrdup("--");
	*next++ = xstrdup(table);
	*next = NULL;
	die_in_fork = true;
	if (dup2(out, STDOUT_FILENO) < 0)
		die(ST_SYSTEM, "cannot redirect standard output:");
	execv(path, argv);
	die(ST_SYSTEM, "cannot run '%s':", path);
}

/* The child has printed a message if it failed. */
static void
xawait_converter(pid_t child)
{
	int status;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			die(ST_SYSTEM, "cannot wait for table2metrics:");
	if (WIFSIGNALED(status))
		die(ST_SYSTEM, "signal %d ended table2metrics", WTERMSIG(status));
	if (WEXITSTATUS(status) != 0)
		exit(WEXITSTATUS(status));
}

static void
xread_table(struct results *m, const char *path, const char *by)
{
	struct scan s = {0};
	struct lines in = {.name = path};
	int ends[2];
	size_t len;
	if (pipe2(ends, O_CLOEXEC) != 0)
		die(ST_SYSTEM, "cannot create a pipe:");
	pid_t child = fork();
	if (child < 0)
		die(ST_SYSTEM, "cannot start table2metrics:");
	if (child == 0)
		exec_converter(m, path, by, ends[1]);
	close(ends[1]);
	in.fd = ends[0];
	for (const char *line; (line = xlines_next(&in, &len));) {
		xscan_record(&s, &in, line, len);
		results_read(m, &s, &in);
	}
	close(in.fd);
	xawait_converter(child);
	buf_free(&in.buf);
	free(s.m);
}

void
xresults_files(struct results *m, char **paths, const char *by)
{
	target = m;
	if (!*paths && by)
		xread_table(m, "-", by);
	else if (!*paths)
		xscan_files(paths, read_result);
	for (; *paths; paths++) {
		char *one[] = {*paths, NULL};
		if (by || is_table(*paths))
			xread_table(m, *paths, by);
		else
			xscan_files(one, read_result);
	}
}
