/* tabletree.c: which files a table is read from, and what their folders say. */
#include "table/table_input.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 18, MOST_WORDS = 32, MOST_BLANK_BYTES = 1 << 16 };

/* ---- bytes -------------------------------------------------------------------- */

bool
xinput_more(struct input *in)
{
	if (in->eof)
		return false;
	if (in->at) {
		in->passed += in->at;
		memmove(in->p, in->p + in->at, in->n - in->at);
		in->n -= in->at;
		in->at = 0;
	}
	if (in->cap - in->n < CHUNK_BYTES + INPUT_SPARE_BYTES) {
		in->cap = in->n + in->n / 2 + CHUNK_BYTES + INPUT_SPARE_BYTES;
		in->p = xrealloc(in->p, in->cap);
	}
	ssize_t n;
	size_t most = in->left < CHUNK_BYTES ? (size_t)in->left : CHUNK_BYTES;
	do
		n = in->placed ? pread(in->fd, in->p + in->n, most, in->offset) : read(in->fd, in->p + in->n, most);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		die(ST_SYSTEM, "cannot read '%s':", in->name);
	in->eof = n == 0;
	in->n += (size_t)n;
	in->offset += n;
	in->left -= in->left == NO_LIMIT ? 0 : (uint64_t)n;
	memset(in->p + in->n, 0, INPUT_SPARE_BYTES);
	return !in->eof;
}

/* ---- {names} in paths ----------------------------------------------------------- */

struct named {
	const char *name, *value;
	size_t name_n, value_n;
};

/* Does the pattern fit the path's beginning?  At its end the path may go on only
 * behind a '/'.  Words are as short as fits. */
static bool
fits(const char *pattern, const char *path, struct named *named, size_t *n)
{
	for (; *pattern && *pattern != '{'; pattern++, path++)
		if (*pattern != *path)
			return false;
	if (!*pattern)
		return *path == '\0' || *path == '/' || pattern[-1] == '/';
	const char *close = strchr(pattern, '}');
	if (*n == MOST_WORDS)
		return false;
	struct named *mine = &named[(*n)++];
	for (size_t i = 1; path[i - 1] && path[i - 1] != '/'; i++) {
		size_t before = *n;
		*mine = (struct named){pattern + 1, path, (size_t)(close - pattern) - 1, i};
		if (fits(close + 1, path + i, named, n))
			return true;
		*n = before;
	}
	--*n;
	return false;
}

/* At the beginning of any part of the path, the last that fits. */
static bool
path_fits(const char *pattern, const char *path, struct named *named, size_t *n)
{
	for (const char *at = path + strlen(path); at >= path; at--) {
		*n = 0;
		if ((at == path || at[-1] == '/') && fits(pattern, at, named, n))
			return true;
	}
	return false;
}

static void
check_pattern(const char *pattern)
{
	bool open = false;
	if (!strchr(pattern, '{'))
		die(ST_USAGE, "the path pattern '%s' names no column: write '{name}' where one stands", pattern);
	for (const char *p = pattern; *p; p++) {
		if ((*p == '{' && (open || p[1] == '}')) || (*p == '}' && (!open || p[1] == '{')))
			die(ST_USAGE, "the path pattern '%s' is wrong at character %zu", pattern, (size_t)(p - pattern) + 1);
		open = *p == '{' || (open && *p != '}');
	}
	if (open)
		die(ST_USAGE, "the path pattern '%s' has a '{' that is not closed", pattern);
}

static void
words_of(struct table *t, struct rowwords *words, const struct named *named, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++) {
		struct column *c = table_take(t, named[i].name, named[i].name_n);
		if (!c)
			continue;
		/* The row under way is one that is not read: it says what kind the column is. */
		table_row(t);
		if (!table_put(t, c, named[i].value, named[i].value_n))
			die(ST_INPUT, "the path '%s' is not UTF-8 text", path);
		struct path_words w = {.column = c, .code = NO_WORD, .number = (double)NAN};
		if (c->is_word)
			w.code = c->code[t->n_rows];
		else if (c->number)
			w.number = c->number[t->n_rows];
		words->v = xrealloc(words->v, (words->n + 1) * sizeof *words->v);
		words->v[words->n++] = w;
	}
}

/* ---- files ------------------------------------------------------------------------ */

static bool
ends_in(const char *path, const char *ending)
{
	size_t n = strlen(path), m = strlen(ending);
	return n > m && strcasecmp(path + n - m, ending) == 0;
}

static void
add_file(struct table *t, const char *name)
{
	if ((t->n_files & (t->n_files - 1)) == 0)
		t->files = xrealloc(t->files, (t->n_files ? 2 * t->n_files : 1) * sizeof *t->files);
	t->files[t->n_files++] = (struct table_file){xstrdup(name), t->n_rows};
}

/* Records begin with a brace, and nobody names a column so.  A pipe may bring the blanks
 * before it alone. */
static bool
begins_records(struct input *in)
{
	for (size_t i = 0; i < MOST_BLANK_BYTES && (in->at + i < in->n || xinput_more(in)); i++) {
		char c = in->p[in->at + i];
		if (!c || !strchr(" \t\r\n", c))
			return c == '{';
	}
	return false;
}

static void
read_stream(struct table *t, int fd, const char *name, const struct rowwords *words)
{
	struct input in = {.fd = fd, .name = name, .left = NO_LIMIT};
	while (in.n < 4 && xinput_more(&in))
		continue;
	const char *p = in.p;
	if (in.n >= 4 && memcmp(p, "PAR1", 4) == 0)
		die(ST_INPUT, "%s: Parquet is read from a file, whose name ends in .parquet or .parq", name);
	if (in.n >= 2 && memcmp(p, "\x1f\x8b", 2) == 0)
		die(ST_INPUT, "%s:1:1: compressed: unpack it first (gunzip -c)", name);
	if (in.n >= 2 && (memcmp(p, "\xff\xfe", 2) == 0 || memcmp(p, "\xfe\xff", 2) == 0))
		die(ST_INPUT, "%s:1:1: this is UTF-16: save it as UTF-8", name);
	if (in.n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		in.at = 3;
	if (begins_records(&in))
		xread_records(t, &in, words);
	else
		xread_csv(t, &in, words);
	free(in.p);
}

static void
read_one(struct table *t, const char *path)
{
	struct rowwords words = {0};
	bool from_stdin = strcmp(path, "-") == 0;
	const char *name = from_stdin ? "stdin" : path, *pattern = t->spec->path_pattern;
	if (pattern) {
		struct named named[MOST_WORDS];
		size_t n = 0;
		if (!path_fits(pattern, path, named, &n)) {
			if (!t->unmatched++)
				log_at(LOG_LEVEL_INFO, "'%s' does not fit '%s': left out", path, pattern);
			return;
		}
		words_of(t, &words, named, n, path);
	}
	add_file(t, name);
	if (ends_in(path, ".parquet") || ends_in(path, ".parq")) {
		xread_parquet(t, path, &words);
	} else {
		int fd = from_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			die(ST_SYSTEM, "cannot open '%s':", path);
		read_stream(t, fd, name, &words);
		if (!from_stdin)
			close(fd);
	}
	free(words.v);
}

static bool
is_excluded(const struct table *t, const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	for (size_t i = 0; t->spec->exclude && t->spec->exclude[i]; i++)
		if (fnmatch(t->spec->exclude[i], path, 0) == 0 || fnmatch(t->spec->exclude[i], name, 0) == 0)
			return true;
	return false;
}

static bool
is_table_name(const char *path)
{
	static const char *const endings[] = {".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".parq"};
	for (size_t i = 0; i < COUNT(endings); i++)
		if (ends_in(path, endings[i]))
			return true;
	return false;
}

static int
by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void
read_tree(struct table *t, char *root)
{
	char *roots[] = {root, NULL};
	FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
	if (!tree)
		die(ST_SYSTEM, "cannot read '%s':", root);
	size_t before = t->n_files + t->unmatched;
	for (FTSENT *e; (e = fts_read(tree)); ) {
		bool hidden = e->fts_level > 0 && e->fts_name[0] == '.';
		if (e->fts_info == FTS_D && (hidden || is_excluded(t, e->fts_path)))
			fts_set(tree, e, FTS_SKIP);
		else if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR)
			die(ST_SYSTEM, "cannot read '%s': %s", e->fts_path, strerror(e->fts_errno));
		else if (e->fts_info == FTS_F && !hidden && is_table_name(e->fts_path) && !is_excluded(t, e->fts_path))
			read_one(t, e->fts_path);
	}
	fts_close(tree);
	if (t->n_files + t->unmatched == before)
		die(ST_INPUT, "no table in '%s': there are no files *.csv, *.tsv, *.jsonl, *.parquet or *.parq", root);
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
			read_one(t, *p);
	}
	parquet_end();
	if (t->n_files == 0)
		die(ST_INPUT, "no file fits the path pattern '%s'", spec->path_pattern);
	if (t->unmatched)
		warn("%zu file%s left out, which %s not fit '%s'", t->unmatched, t->unmatched == 1 ? "" : "s",
		    t->unmatched == 1 ? "does" : "do", spec->path_pattern);
	xtable_end(t);
}
