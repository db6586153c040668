/* table_read.c: which files a table is read from, and the columns from their paths. */
#include "table/table_read.h"
#include "base/die.h"
#include "json/json_file.h"
#include "json/json_parse.h"
#include "json/json_text.h"
#include "table/table_csv.h"
#include "table/table_input.h"
#include "table/table_parquet.h"
#include "table/table_records.h"
#include "table/table_rows.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <fts.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLANKS " \t\r\n"

enum { MAX_NAMES = 32, FIRST_BYTES = 1 << 16 };

/* ---- {names} in paths ----------------------------------------------------------- */

struct path_name {
	const char *name, *value;
	size_t name_n, value_n;
};

/* True if the pattern matches the beginning of the path, up to its end or a '/'.
 * Names match as few characters as possible. */
static bool
matches_start(const char *pattern, const char *path, struct path_name *named, size_t *n)
{
	for (; *pattern && *pattern != '{'; pattern++, path++)
		if (*pattern != *path)
			return false;
	if (!*pattern)
		return *path == '\0' || *path == '/' || pattern[-1] == '/';
	const char *close = strchr(pattern, '}');
	if (*n == MAX_NAMES)
		return false;
	struct path_name *mine = &named[(*n)++];
	for (size_t i = 1; path[i - 1] && path[i - 1] != '/'; i++) {
		size_t before = *n;
		*mine = (struct path_name){pattern + 1, path, (size_t)(close - pattern) - 1, i};
		if (matches_start(close + 1, path + i, named, n))
			return true;
		*n = before;
	}
	--*n;
	return false;
}

/* Matches at the beginning of any part of the path; the last match counts. */
static bool
path_matches(const char *pattern, const char *path, struct path_name *named, size_t *n)
{
	for (const char *at = path + strlen(path); at >= path; at--) {
		*n = 0;
		if ((at == path || at[-1] == '/') && matches_start(pattern, at, named, n))
			return true;
	}
	return false;
}

static void
check_pattern(const char *pattern)
{
	bool open = false;
	if (!strchr(pattern, '{'))
		die(ST_USAGE, "the path pattern '%s' names no column: write '{name}' in "
		    "it", pattern);
	for (const char *p = pattern; *p; p++) {
		if ((*p == '{' && (open || p[1] == '}')) || (*p == '}' && (!open || p[1] == '{')))
			die(ST_USAGE, "the path pattern '%s' is wrong at character %zu", pattern,
			    (size_t)(p - pattern) + 1);
		open = *p == '{' || (open && *p != '}');
	}
	if (open)
		die(ST_USAGE, "the path pattern '%s' has an unclosed '{'", pattern);
}

bool
table_path_matches(const char *pattern, const char *path)
{
	struct path_name named[MAX_NAMES];
	size_t n;
	return *pattern && path_matches(pattern, path, named, &n);
}

static void
add_path_values(struct table *t, struct path_values *values, const struct path_name *named,
    size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++) {
		struct column *c = table_take(t, named[i].name, named[i].name_n);
		if (!c)
			continue;
		/* The value is put into a row that is not counted, which shows the kind
		 * of the column. */
		table_row(t);
		if (!table_put(t, c, named[i].value, named[i].value_n))
			die(ST_INPUT, "the path '%s' is not UTF-8 text", path);
		struct path_value w = {.column = c, .code = NO_WORD, .number = (double)NAN};
		if (c->is_word)
			w.code = c->code[t->n_rows];
		else if (c->number)
			w.number = c->number[t->n_rows];
		values->v = xrealloc(values->v, (values->n + 1) * sizeof *values->v);
		values->v[values->n++] = w;
	}
}

/* ---- files ------------------------------------------------------------------------ */

/* What the ending of a file's name says. */
enum table_kind { NO_TABLE, OF_LINES, OF_PARQUET, OF_YAML };

static enum table_kind
kind_of(const char *path)
{
	static const struct { const char *ending; enum table_kind kind; } known[] = {
		{".csv", OF_LINES}, {".tsv", OF_LINES}, {".jsonl", OF_LINES}, {".ndjson", OF_LINES},
		{".parquet", OF_PARQUET}, {".parq", OF_PARQUET}, {".yaml", OF_YAML},
		{".yml", OF_YAML}};
	const char *dot = strrchr(path, '.');
	for (size_t i = 0; dot && dot > path && i < COUNT(known); i++)
		if (strcasecmp(dot, known[i].ending) == 0)
			return known[i].kind;
	return NO_TABLE;
}

static void
add_table_file(struct table *t, const char *name)
{
	if ((t->n_files & (t->n_files - 1)) == 0)
		t->files = xrealloc(t->files, (t->n_files ? 2 * t->n_files : 1) * sizeof *t->files);
	t->files[t->n_files++] = (struct table_file){xstrdup(name), t->n_rows};
	t->size_marks = 0;
}

/* Records begin with a brace, which no column's name does.  The blanks before it may
 * arrive alone from a pipe. */
static bool
begins_records(struct table_input *in)
{
	for (size_t i = 0; i < FIRST_BYTES && (in->at + i < in->n ||
	    xtable_input_more(in)); i++) {
		char c = in->p[in->at + i];
		if (!c || !strchr(BLANKS, c))
			return c == '{';
	}
	return false;
}

/* A task's metadata: one row; a list of them: a row for each. */
static void
put_rows(struct table *t, const json_t *root, const char *name, const struct path_values *values)
{
	size_t n = json_is_array(root) ? json_array_size(root) : 1;
	for (size_t i = 0; i < n; i++) {
		const json_t *row = json_is_array(root) ? json_array_get(root, i) : root;
		if (!json_is_object(row))
			die(ST_INPUT, "%s:1:1: no map of names and values", name);
		char *text = json_text_of(row);
		table_records_row(t, text, strlen(text), values);
		free(text);
	}
}

/* Whether a line is an object without a type that has a list of objects. */
static bool
has_rows(const char *line, size_t n)
{
	const char *key;
	json_t *root = json_loadb(line, n, 0, NULL), *v;
	bool has = json_object_get(root, "pbs_version");
	json_object_foreach(root, key, v)
		has |= json_is_object(json_array_get(v, 0));
	has &= !json_object_get(root, "type");
	json_decref(root);
	return has;
}

/* An array; an object that its first line does not end; or one alone with a list of objects, as
 * benchmarks write it: not records. */
static bool
begins_document(struct table_input *in)
{
	const char *p, *nl;
	for (; ; xtable_input_more(in)) {
		p = in->p + in->at + strspn(in->p + in->at, BLANKS);
		nl = memchr(p, '\n', (size_t)(in->p + in->n - p));
		bool alone = *p == '{' && (!nl || !nl[1]) && in->n < MAX_SOURCE_BYTES;
		if (in->eof || (in->n - in->at >= FIRST_BYTES && !alone))
			break;
	}
	if (*p == '[')
		return strchr("{[]", p[1 + strspn(p + 1, BLANKS)]);
	const char *last = nl ? nl : in->p + in->n;
	while (last > p && strchr(BLANKS, last[-1]))
		last--;
	if (*p != '{' || (!nl && !in->eof))
		return false;
	return last[-1] != '}' || (in->eof && !last[strspn(last, BLANKS)] &&
	    has_rows(p, (size_t)(last - p)));
}

/* The only list of objects within an object, as benchmarks write them; else the value itself. */
static json_t *
rows_within(json_t *root, const char *name)
{
	const char *key;
	json_t *v, *rows = root;
	if (json_object_get(root, "pbs_version"))
		die(ST_INPUT, "%s: jobs of PBS within an object: write each in a line, as with "
		    "jq -c '.Jobs[]'", name);
	json_object_foreach(root, key, v)
		if (json_is_object(json_array_get(v, 0))) {
			if (rows != root)
				die(ST_INPUT, "%s: several lists of objects: choose one, as with "
				    "jq -c '.%s[]'", name, key);
			rows = v;
		}
	return rows;
}

static void
read_document(struct table *t, struct table_input *in, const struct path_values *values)
{
	char *error;
	while (in->n <= MAX_SOURCE_BYTES && xtable_input_more(in))
		continue;
	if (!in->eof)
		die(ST_INPUT, "%s: longer than %d bytes: write each object of it in a line, as "
		    "with jq -c '.[]'", in->name, (int)MAX_SOURCE_BYTES);
	json_t *root = json_parse_text(in->p + in->at, in->n - in->at, in->name, &error);
	if (!root)
		die(ST_INPUT, "%s", error);
	put_rows(t, rows_within(root, in->name), in->name, values);
	json_decref(root);
}

static void
read_stream(struct table *t, int fd, const char *name, const struct path_values *values)
{
	struct table_input in = {.fd = fd, .name = name};
	while (in.n < 4 && xtable_input_more(&in))
		continue;
	const char *p = in.p;
	if (in.n >= 4 && memcmp(p, "PAR1", 4) == 0)
		die(ST_INPUT, "%s: Parquet must be read from a file whose name ends in .parquet or "
		    ".parq", name);
	in.at = json_parse_mark(p, in.n);
	const char *format = json_parse_format(p + in.at, in.n - in.at);
	if (format)
		die(ST_INPUT, "%s:1:1: %s", name, format);
	bool records = begins_records(&in);
	if (begins_document(&in))
		read_document(t, &in, values);
	else if (records)
		xtable_records_read(t, &in, values);
	else
		xtable_csv_read(t, &in, values);
	free(in.p);
}

static void
read_yaml(struct table *t, const char *path, const struct path_values *values)
{
	struct source s;
	xjson_file_load(&s, path);
	put_rows(t, s.root, path, values);
	json_decref(s.root);
	free(s.text);
	free(s.marks);
}

static void
read_file(struct table *t, const char *path)
{
	struct path_values values = {0};
	bool from_stdin = strcmp(path, "-") == 0;
	const char *name = from_stdin ? "stdin" : path, *pattern = t->spec->path_pattern;
	if (pattern) {
		struct path_name named[MAX_NAMES];
		size_t n = 0;
		if (!path_matches(pattern, path, named, &n)) {
			if (!t->unmatched++)
				log_at(LOG_LEVEL_INFO, "skipping '%s': it does not match '%s'",
				    path, pattern);
			return;
		}
		add_path_values(t, &values, named, n, path);
	}
	add_table_file(t, name);
	if (kind_of(path) == OF_PARQUET) {
		xtable_parquet_read(t, path, &values);
	} else if (kind_of(path) == OF_YAML) {
		read_yaml(t, path, &values);
	} else {
		int fd = from_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			die(ST_SYSTEM, "cannot open '%s':", path);
		read_stream(t, fd, name, &values);
		if (!from_stdin)
			close(fd);
	}
	free(values.v);
}

static bool
is_excluded(const struct table *t, const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	for (size_t i = 0; t->spec->exclude && t->spec->exclude[i]; i++)
		if (fnmatch(t->spec->exclude[i], path, 0) == 0 || fnmatch(t->spec->exclude[i], name,
		    0) == 0)
			return true;
	return false;
}

static int
compare_names(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void
read_tree(struct table *t, char *root)
{
	char *roots[] = {root, NULL};
	FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, compare_names);
	if (!tree)
		die(ST_SYSTEM, "cannot read '%s':", root);
	size_t before = t->n_files + t->unmatched;
	for (FTSENT *e; (e = fts_read(tree)); ) {
		bool hidden = e->fts_level > 0 && e->fts_name[0] == '.';
		if (e->fts_info == FTS_D && (hidden || is_excluded(t, e->fts_path)))
			fts_set(tree, e, FTS_SKIP);
		else if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR)
			die(ST_SYSTEM, "cannot read '%s': %s", e->fts_path, strerror(e->fts_errno));
		else if (e->fts_info == FTS_F && !hidden && kind_of(e->fts_path) &&
		    !is_excluded(t, e->fts_path))
			read_file(t, e->fts_path);
	}
	fts_close(tree);
	if (t->n_files + t->unmatched == before)
		die(ST_INPUT, "no table in '%s': there are no files *.csv, *.tsv, *.jsonl, "
		    "*.parquet, *.parq or *.yaml", root);
}

void
xtable_read(struct table *t, char **paths, const struct table_spec *spec)
{
	char dash[] = "-", *stdin_only[] = {dash, NULL};
	struct stat st;
	if (spec->path_pattern)
		check_pattern(spec->path_pattern);
	xtable_begin(t, spec);
	for (char **p = *paths ? paths : stdin_only; *p; p++) {
		if (strcmp(*p, "-") != 0 && stat(*p, &st) == 0 && S_ISDIR(st.st_mode))
			read_tree(t, *p);
		else
			read_file(t, *p);
	}
	table_parquet_end();
	if (t->n_files == 0)
		die(ST_INPUT, "no file matches the path pattern '%s'", spec->path_pattern);
	if (t->unmatched)
		warn("skipped %zu file%s that %s not match '%s'", t->unmatched,
		    t->unmatched == 1 ? "" : "s", t->unmatched == 1 ? "does" : "do",
		    spec->path_pattern);
	if (t->skipped)
		warn("read cells only: %zu record%s of type 'notebook_metrics' skipped (--type "
		    "notebook_metrics reads them)", t->skipped, t->skipped == 1 ? "" : "s");
	xtable_end(t);
}
