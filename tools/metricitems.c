/* metricitems: throughput, where a cell says how many items it took.
 * Passes metrics on; to a cell_metrics record whose cell printed `items` records
 * (in the executed notebook) it adds how many, and how many a second. */
#include "member.h"
#include "scan.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { NOTEBOOK_LIMIT = 512 << 20 };

static const char *executed;
static const struct opt opts[] = {
	{'e', "executed", OPT_STRING, &executed, 0, 0, "DIR", "where the executed notebooks of the label are"},
	{0},
};
static const struct usage usage = {"metricitems", "--executed DIR [FILE...]",
	"Adds to metrics how many items a second went through each cell.", opts};

/* ---- the executed notebook ---------------------------------------------------------- */

static json_t *
load(const char *path)
{
	static char *loaded;
	static json_t *notebook;
	if (loaded && strcmp(loaded, path) == 0)
		return notebook;
	free(loaded);
	json_decref(notebook);
	loaded = xstrdup(path);
	size_t n;
	char *error = NULL, *text = read_file(path, NOTEBOOK_LIMIT, &n);
	if (!text && errno != ENOENT && errno != ENOTDIR)
		die(ST_SYSTEM, "cannot read '%s':", path);
	notebook = text ? parse_json(text, n, path, &error) : NULL;
	if (error)
		die(ST_INPUT, "%s", error);
	free(text);
	return notebook;
}

/* The k-th code cell, or that of the id. */
static const json_t *
find_cell(const json_t *notebook, const char *id, long index)
{
	const json_t *cell, *cells = json_object_get(notebook, "cells");
	size_t i;
	long k = 0;
	json_array_foreach(cells, i, cell) {
		const char *type = json_string_value(json_object_get(cell, "cell_type")), *its = json_string_value(json_object_get(cell, "id"));
		if (!type || strcmp(type, "code"))
			continue;
		k++;
		if (id && its ? strcmp(id, its) == 0 : k == index)
			return cell;
	}
	return NULL;
}

/* ---- what a cell printed -------------------------------------------------------------- */

struct items {
	double taken, done;	/* NaN: none was told */
};

static void
add_told(double *to, const json_t *v)
{
	if (json_is_number(v) && json_number_value(v) >= 0)
		*to = (isnan(*to) ? 0 : *to) + json_number_value(v);
}

/* Lines that are no such record are the cell's own business. */
static void
read_line(struct items *it, const char *line, size_t n)
{
	json_t *r = n && *line == '{' ? json_loadb(line, n, JSON_REJECT_DUPLICATES, NULL) : NULL;
	const char *type = json_string_value(json_object_get(r, "type"));
	if (type && strcmp(type, "items") == 0) {
		add_told(&it->taken, json_object_get(r, "items"));
		add_told(&it->done, json_object_get(r, "done"));
	}
	json_decref(r);
}

static void
read_text(struct items *it, const char *text)
{
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		read_line(it, text, n);
	}
}

/* A stream's text is one string or a list of pieces. */
static struct items
items_of(const json_t *cell)
{
	struct items it = {NAN, NAN};
	struct buf b = {0};
	const json_t *output, *piece;
	size_t i, k;
	json_array_foreach(json_object_get(cell, "outputs"), i, output) {
		const char *name = json_string_value(json_object_get(output, "name"));
		const json_t *text = json_object_get(output, "text");
		if (!name || strcmp(name, "stdout"))
			continue;
		if (json_is_string(text))
			buf_addf(&b, "%s", json_string_value(text));
		json_array_foreach(text, k, piece)
			if (json_is_string(piece))
				buf_addf(&b, "%s", json_string_value(piece));
	}
	if (b.p)
		read_text(&it, b.p);
	buf_free(&b);
	return it;
}

/* ---- lines ------------------------------------------------------------------------------ */

static struct items
told_of(struct scan *s)
{
	struct items it = {NAN, NAN};
	char *name = span_string(scan_get(s, "name")), *id = span_string(scan_get(s, "cell_id"));
	double repetition = span_number(scan_get(s, "repetition")), index = span_number(scan_get(s, "cell_index"));
	if (name && !strchr(name, '/')) {
		char *path = repetition > 1 ? xasprintf("%s/%s@%.0f.ipynb", executed, name, repetition) : xasprintf("%s/%s.ipynb", executed, name);
		const json_t *notebook = load(path);
		if (notebook)
			it = items_of(find_cell(notebook, id, isfinite(index) ? (long)index : -1));
		free(path);
	}
	free(name);
	free(id);
	return it;
}

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	static struct buf b;
	(void)in;
	struct items it = scan_type_is(s, "cell_metrics") ? told_of(s) : (struct items){NAN, NAN};
	if (isnan(it.taken)) {
		xput_line(line, len);
		return;
	}
	double seconds = span_number(scan_get(s, "client_execution_time_metric"));
	seconds = seconds > 0 ? seconds : (double)NAN;
	while (len && line[len - 1] != '}')
		len--;
	b.n = 0;
	buf_add(&b, line, len - 1);
	buf_add(&b, ",", 1);
	member_number(&b, "items", it.taken, false);
	member_number(&b, "items_done", it.done, false);
	member_number(&b, "items_per_s", it.taken / seconds, false);
	member_number(&b, "items_done_per_s", it.done / seconds, false);
	b.p[b.n - 1] = '}';
	xput_line(b.p, b.n);
}

int
main(int argc, char **argv)
{
	int first = options(argc, argv, &usage);
	if (!executed)
		die_usage(&usage, "--executed is missing: where are the executed notebooks?");
	signal(SIGINT, SIG_IGN);
	xscan_files(argv + first, take);
	xclose_stdout();
	return ST_OK;
}
