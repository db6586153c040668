/* table_parquet.c: Parquet files, read by share/parquet/columns.py, which runs in a
 * Python process and passes columns as binary data.  One process reads all files; it
 * ends when its input is closed.
 */
#include "table/table_parquet.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/installation.h"
#include "base/python_child.h"
#include "json/json_text.h"
#include "table/table_bad.h"
#include "table/table_numbers.h"

#include <stdio.h>
#include <unistd.h>

enum { MAX_COLUMNS = 100000, MAX_WORDS = 1 << 24, MAX_TEXT = 1 << 24 };

EMBED_STATIC(table_parquet_py, "share/parquet/columns.py");
extern const char table_parquet_py[];

static struct child reader;

static _Noreturn void
die_no_reader(const char *path)
{
	xchild_end_killed(&reader, "cannot read Parquet");
	die(ST_SYSTEM, "cannot read '%s': no Python with pyarrow (run '%s parquet', or set "
	    "NBSCOPE_PARQUET_VENV)", path, installation_command());
}

void
table_parquet_end(void)
{
	child_end(&reader);
}

/* ---- its answers ------------------------------------------------------------------ */

static _Noreturn void
die_broken(const char *path)
{
	xchild_end_killed(&reader, "cannot read Parquet");
	die(ST_SYSTEM, "cannot read '%s': its reader ended before the end of the file", path);
}

static void
xget(const char *path, void *data, size_t n)
{
	if (n && fread(data, 1, n, reader.from) != n)
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
		    json_string(keep_name(t->columns[i]->optional ? KEEP_NUMBER :
		    t->columns[i]->keep)));
	for (const struct table_alias *a = t->spec->aliases; a && a->name; a++) {
		const struct column *c = table_column(t, a->column);
		if (c)
			json_object_set_new(want, a->name, json_string(keep_name(c->keep)));
	}
	json_t *request = json_pack("{s:o, s:o, s:s}", "path", json_string(path), "requested", want,
	    "others", keep_name(t->spec->others));
	if (!request)
		die(ST_INPUT, "'%s' is not UTF-8", path);
	char *text = json_text_of(request);
	fprintf(reader.to, "%s\n", text);
	fflush(reader.to);
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
		if (s->c && isinf(x))
			table_bad_note(t, s->c, x > 0 ? "inf" : "-inf", x > 0 ? 3 : 4);
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
	if (!reader.to)
		xpython_child_start(&reader, "NBSCOPE_PARQUET_VENV", "parquet-venv",
		    table_parquet_py);
	send_request(t, path);
	for (int tag; (tag = getc(reader.from)) != 'Z'; ) {
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
