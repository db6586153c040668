/* measuredtable.c: what was measured, from tables as people have them. */
#include "metric/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "table/table_numbers.h"
#include "table/table_read.h"

enum { MOST_BY = 16 };

struct columns {
	const struct column *label, *usecase, *name, *id, *index, *status, *line, *by[MOST_BY];
	const struct column **metric;
	size_t n_by;
};

static const struct column *
find(const struct table *t, const char *name, const char *otherwise)
{
	const struct column *c = table_column(t, name);
	return c || !otherwise ? c : table_column(t, otherwise);
}

static void
find_by(struct columns *c, const struct table *t, const char *by)
{
	char *list = xstrdup(by), *rest = list;
	for (char *name; (name = strsep(&rest, ", "));) {
		if (!*name)
			continue;
		if (c->n_by == MOST_BY)
			die(ST_USAGE, "--by takes %d columns at most", MOST_BY);
		if (!(c->by[c->n_by++] = table_column(t, name)))
			die(ST_INPUT, "%s:1:1: no column '%s'", t->files[0].path, name);
	}
	free(list);
}

static void
find_columns(struct columns *c, const struct measured *m, const struct table *t, const char *by)
{
	*c = (struct columns){.label = find(t, "label", NULL), .status = find(t, "execution_status", NULL)};
	c->metric = xmalloc(m->metrics * sizeof *c->metric);
	for (size_t i = 0; i < m->metrics; i++)
		c->metric[i] = find(t, m->metric[i], NULL);
	if (by) {
		find_by(c, t, by);
		return;
	}
	c->usecase = find(t, "usecase", NULL);
	c->name = find(t, "name", "notebook_filename");
	c->id = find(t, "cell_id", NULL);
	c->index = find(t, "cell_index", NULL);
	c->line = find(t, "source_line", NULL);
	if (!c->name)
		die(ST_INPUT, "%s:1:1: no column 'name': --by tells which name a cell", t->files[0].path);
}

static char *
text_at(const struct column *c, size_t row)
{
	return c ? table_text(c, row) : NULL;
}

/* One word among the numbers is one that is missing, no column of words. */
static double
number_at(const struct column *c, size_t row)
{
	const char *word = c ? table_word(c, row) : NULL;
	if (word)
		return table_number(word, strlen(word));
	return c && !c->is_word ? c->number[row] : (double)NAN;
}

static char *
name_at(const struct columns *c, size_t row)
{
	struct buf b = {0};
	if (!c->n_by)
		return text_at(c->name, row);
	for (size_t i = 0; i < c->n_by; i++) {
		char *text = table_text(c->by[i], row);
		buf_addf(&b, "%s%s", i ? " " : "", text ? text : "-");
		free(text);
	}
	return b.p;
}

static void
take_row(struct measured *m, const struct table *t, const struct columns *c, size_t row)
{
	char *label = m->by_file ? xstrdup(table_file_of(t, row)->path) : text_at(c->label, row);
	char *usecase = text_at(c->usecase, row), *name = name_at(c, row), *id = text_at(c->id, row), *status = text_at(c->status, row);
	bool made;
	size_t at = measured_new_label(m, label ? label : "current");
	struct measured_key key = {usecase, name, id, c->index ? number_at(c->index, row) : 0};
	struct measured_cell *cell = measured_cell(m, &key, &made);
	if (made)
		cell->line = text_at(c->line, row);
	struct of_label *of = measured_room(m, cell, at);
	if (measured_status(of, status))
		for (size_t i = 0; i < m->metrics; i++)
			measured_add(&of->metric[i], number_at(c->metric[i], row));
	free(label);
	free(usecase);
	free(name);
	free(id);
	free(status);
}

void
measured_tables(struct measured *m, char **paths, const char *by)
{
	struct table t = {0};
	struct columns c;
	xtable_read(&t, paths, &(struct table_spec){.others = KEEP_GUESS});
	if (!t.n_rows)
		return;
	find_columns(&c, m, &t, by);
	for (size_t i = 0; i < t.n_rows; i++)
		take_row(m, &t, &c, i);
	free(c.metric);
	table_free(&t);
}

/* ---- files of either kind ------------------------------------------------------------ */

static struct measured *filled;

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	measured_take(filled, s, in);
}

static bool
is_table(const char *path)
{
	static const char *const ends[] = {".csv", ".parq", ".parquet", ".CSV"};
	struct stat st;
	size_t n = strlen(path);
	for (size_t i = 0; i < COUNT(ends); i++)
		if (n > strlen(ends[i]) && strcmp(path + n - strlen(ends[i]), ends[i]) == 0)
			return true;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

void
measured_files(struct measured *m, char **paths, const char *by)
{
	filled = m;
	if (!*paths)
		xscan_files(paths, take);
	for (; *paths; paths++) {
		char *one[] = {*paths, NULL};
		if (by || is_table(*paths))
			measured_tables(m, one, by);
		else
			xscan_files(one, take);
	}
}
