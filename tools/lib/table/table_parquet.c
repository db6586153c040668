/* table_parquet.c: Parquet files, read by share/parquet/columns.py, which runs in a
 * Python process and passes columns as binary data.  One process reads all files; it
 * ends when its input is closed.
 */
#include "table/table_parquet.h"
#include "base/nbscope.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/file.h"
#include "json/json_text.h"
#include "table/table_numbers.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_COLUMNS = 100000, MAX_WORDS = 1 << 24, MAX_TEXT = 1 << 24 };

EMBED_STATIC(table_parquet_py, "share/parquet/columns.py");
extern const char table_parquet_py[];

static FILE *to, *from;
static pid_t reader = -1;

/* ---- the process -------------------------------------------------------------- */

/* NBSCOPE_PARQUET_VENV, else the environment that was made with the program, else any
 * python3. */
static char *
find_python(void)
{
	const char *set = getenv("NBSCOPE_PARQUET_VENV");
	if (set && *set)
		return xasprintf("%s/bin/python", set);
	char *python = file_of_installation("parquet-venv/bin/python");
	return python ? python : xstrdup("python3");
}

static _Noreturn void
die_no_reader(const char *path)
{
	die(ST_SYSTEM, "cannot read '%s': no Python with pyarrow (run 'make parquet', or set "
	    "NBSCOPE_PARQUET_VENV)", path);
}

static void
xstart_reader(const char *path)
{
	int in[2], out[2];
	char *python = find_python();
	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
		die(ST_SYSTEM, "cannot create a pipe:");
	fflush(stdout);
	reader = fork();
	if (reader < 0)
		die(ST_SYSTEM, "cannot start '%s':", python);
	if (reader == 0) {
		int null = open("/dev/null", O_WRONLY);
		signal(SIGINT, SIG_IGN);
		if (dup2(in[0], STDIN_FILENO) < 0 || dup2(out[1], STDOUT_FILENO) < 0)
			_exit(127);
		if (null >= 0 && !getenv("NBSCOPE_PARQUET_DEBUG"))
			dup2(null, STDERR_FILENO);
		execlp(python, python, "-I", "-c", table_parquet_py, (char *)NULL);
		_exit(127);
	}
	free(python);
	close(in[0]);
	close(out[1]);
	/* A reader that did not start is reported when it does not answer. */
	signal(SIGPIPE, SIG_IGN);
	to = fdopen(in[1], "w");
	from = fdopen(out[0], "r");
	if (!to || !from)
		die_no_reader(path);
}

void
table_parquet_end(void)
{
	if (reader < 0)
		return;
	fclose(to);
	fclose(from);
	while (waitpid(reader, NULL, 0) < 0 && errno == EINTR)
		continue;
	reader = -1;
	signal(SIGPIPE, SIG_DFL);
}

/* ---- its answers ------------------------------------------------------------------ */

static _Noreturn void
die_broken(const char *path)
{
	die(ST_SYSTEM, "cannot read '%s': its reader ended before the end of the file", path);
}

static void
xget(const char *path, void *data, size_t n)
{
	if (n && fread(data, 1, n, from) != n)
		die_broken(path);
}

static uint32_t
xget_count(const char *path, uint32_t most)
{
	uint32_t n;
	xget(path, &n, sizeof n);
	if (n > most)
		die_broken(path);
	return n;
}

static char *
xget_text(const char *path, size_t *n)
{
	*n = xget_count(path, MAX_TEXT);
	char *text = xmalloc(*n + 1);
	xget(path, text, *n);
	text[*n] = '\0';
	return text;
}

static const char *
keep_name(enum keep keep)
{
	static const char *const words[] = {[KEEP_NOT] = "not", [KEEP_NUMBER] = "number",
	    [KEEP_WORD] = "word",
		[KEEP_GUESS] = "guess", [KEEP_IF_NUMBER] = "guess"};
	return words[keep];
}

static void
send_request(const struct table *t, const char *path)
{
	json_t *want = json_object();
	for (size_t i = 0; i < t->n_columns; i++)
		json_object_set_new(want, t->columns[i]->name,
		    json_string(keep_name(t->columns[i]->keep)));
	json_t *request = json_pack("{s:o, s:o, s:s}", "path", json_string(path), "requested", want,
	    "others", keep_name(t->spec->others));
	if (!request)
		die(ST_INPUT, "'%s' is not UTF-8", path);
	char *text = json_text_of(request);
	fprintf(to, "%s\n", text);
	fflush(to);
	free(text);
	json_decref(request);
}

/* ---- columns ---------------------------------------------------------------------- */

struct sent {
	struct column *c;	/* NULL: not kept */
	char kind;
};

static void
read_numbers(struct table *t, const char *path, const struct sent *s, size_t first, uint32_t rows)
{
	size_t now = t->n_rows;
	for (uint32_t i = 0; i < rows; i++) {
		double x;
		xget(path, &x, sizeof x);
		t->n_rows = first + i;
		if (s->c && !isnan(x))
			table_put_number(t, s->c, isinf(x) ? table_invalid() : x);
	}
	t->n_rows = now;
}

static void
read_words(struct table *t, const char *path, const struct sent *s, size_t first, uint32_t rows)
{
	uint32_t n = xget_count(path, MAX_WORDS);
	char **words = xmalloc((n + 1) * sizeof *words);
	size_t *lengths = xmalloc((n + 1) * sizeof *lengths), now = t->n_rows;
	for (uint32_t i = 0; i < n; i++)
		words[i] = xget_text(path, &lengths[i]);
	for (uint32_t i = 0; i < rows; i++) {
		int32_t k;
		xget(path, &k, sizeof k);
		if (k >= (int32_t)n)
			die_broken(path);
		t->n_rows = first + i;
		if (s->c && k >= 0 && !table_put(t, s->c, words[k], lengths[k]))
			die(ST_INPUT, "%s: column '%s', row %u: a text that is not UTF-8", path,
			    s->c->name, i + 1);
	}
	t->n_rows = now;
	for (uint32_t i = 0; i < n; i++)
		free(words[i]);
	free(words);
	free(lengths);
}

/* Rows are added before their columns arrive. */
static void
read_batch(struct table *t, const char *path, const struct sent *sent, uint32_t n,
    const struct path_values *values)
{
	uint32_t rows = xget_count(path, UINT32_MAX - 1);
	size_t first = t->n_rows;
	for (uint32_t i = 0; i < rows; i++) {
		table_row(t);
		table_row_done(t);
	}
	for (uint32_t c = 0; c < n; c++) {
		if (sent[c].kind == 'n')
			read_numbers(t, path, &sent[c], first, rows);
		else
			read_words(t, path, &sent[c], first, rows);
	}
	for (t->n_rows = first; values && t->n_rows < first + rows; t->n_rows++)
		table_put_path(t, values);
}

static struct sent *
read_columns(struct table *t, const char *path, uint32_t *n)
{
	*n = xget_count(path, MAX_COLUMNS);
	struct sent *sent = xmalloc((*n + 1) * sizeof *sent);
	for (uint32_t i = 0; i < *n; i++) {
		size_t length;
		xget(path, &sent[i].kind, 1);
		char *name = xget_text(path, &length);
		if ((sent[i].c = table_take(t, name, length)))
			sent[i].c->met = true;
		free(name);
	}
	return sent;
}

void
xtable_parquet_read(struct table *t, const char *path, const struct path_values *values)
{
	struct sent *sent = NULL;
	uint32_t n = 0;
	size_t length;
	if (access(path, R_OK) != 0)
		die(ST_SYSTEM, "cannot open '%s':", path);
	if (reader < 0)
		xstart_reader(path);
	send_request(t, path);
	for (int tag; (tag = getc(from)) != 'Z'; ) {
		if (tag == 'C')
			sent = read_columns(t, path, &n);
		else if (tag == 'B' && sent)
			read_batch(t, path, sent, n, values);
		else if (tag == 'E')
			die(ST_INPUT, "%s: %s", path, xget_text(path, &length));
		else if (tag == EOF && !sent)
			die_no_reader(path);
		else
			die_broken(path);
	}
	free(sent);
}
