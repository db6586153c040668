/* table_metrics.c: rows of tables as metrics. */
#include "table/table_metrics.h"
#include "base/die.h"
#include "base/str.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "table/table_bad.h"
#include "table/table_note.h"
#include "table/table_numbers.h"
#include "table/table_read.h"

#include <sys/stat.h>

struct column_list {
	const struct column **v;
	size_t n;
};
struct table_metrics {
	const struct table *t;
	bool by_file;
	struct column_list cell_names, values, params;
	const struct column *label, *usecase, *name, *id, *cell_index, *status, *source_line;
};

/* ---- columns ----------------------------------------------------------------------- */

static void
append_column(struct column_list *to, const struct column *c)
{
	to->v = xgrow(to->v, to->n, sizeof *to->v);
	to->v[to->n++] = c;
}

/* Those of the columns that the table has; all: dies if one is missing. */
static void
append_columns(struct column_list *to, const struct table *t, const struct list *names, bool all)
{
	for (size_t i = 0; i < names->n; i++) {
		const struct column *c = table_column(t, names->v[i]);
		if (c)
			append_column(to, c);
		else if (all)
			die(ST_INPUT, "%s:1:1: no column '%s'", t->files[0].path, names->v[i]);
	}
}

static const struct column *
column_of(const struct table *t, enum metric_id metric)
{
	return table_column(t, metric_catalogue[metric].column);
}

static void
find_cell_columns(struct table_metrics *m)
{
	m->usecase = column_of(m->t, M_usecase);
	m->name = column_of(m->t, M_name);
	m->name = m->name ? m->name : column_of(m->t, M_notebook_filename);
	m->id = column_of(m->t, M_cell_id);
	m->cell_index = column_of(m->t, M_cell_index);
	m->source_line = column_of(m->t, M_source_line);
	if (!m->name)
		die(ST_INPUT, "%s:1:1: no column 'name': use --by to choose the columns that name "
		    "a cell", m->t->files[0].path);
}

/* Whether the column's texts are needed as they are. */
static bool
is_name(const struct table *t, const struct column *c)
{
	static const enum metric_id names[] = {M_label, M_usecase, M_name, M_notebook_filename,
	    M_cell_id, M_cell_index, M_execution_status, M_source_line};
	for (size_t i = 0; i < COUNT(names); i++)
		if (c == column_of(t, names[i]))
			return true;
	return false;
}

struct table_metrics *
xtable_metrics_of(struct table *t, const struct list *by, const struct list *metrics,
    bool by_file)
{
	struct table_metrics *m = xmalloc(sizeof *m);
	*m = (struct table_metrics){.t = t, .by_file = by_file, .label = column_of(t, M_label),
	    .status = column_of(t, M_execution_status)};
	append_columns(&m->cell_names, t, by, true);
	if (!by->n && t->n_rows)
		find_cell_columns(m);
	for (size_t i = 0; i < t->n_columns; i++) {
		struct column *c = t->columns[i];
		bool chosen = list_has(metrics, c->name);
		if (!by->n && str_ends_with(c->name, "_param")) {
			append_column(&m->params, c);
			continue;
		}
		if (c->is_word && (chosen || !metrics->n) && !is_name(t, c) &&
		    !list_has(by, c->name))
			table_bad_to_numbers(t, c, chosen);
		if (!metrics->n && c != m->cell_index && table_has_numbers(t, c))
			append_column(&m->values, c);
	}
	append_columns(&m->values, t, metrics, false);
	return m;
}

void
table_metrics_free(struct table_metrics *m)
{
	free(m->cell_names.v);
	free(m->values.v);
	free(m->params.v);
	free(m);
}

/* ---- rows -------------------------------------------------------------------------- */

/* A word in a column of numbers is a missing value; it does not make the others words. */
static double
number_at(const struct column *c, size_t row)
{
	const char *word = c ? table_word(c, row) : NULL;
	if (word)
		return table_number(word, strlen(word));
	return !c || c->is_word ? (double)NAN : c->number[row];
}

static json_t *
text_at(const struct column *c, size_t row)
{
	char *text = c ? table_text(c, row) : NULL;
	json_t *v = json_value_text(text);
	free(text);
	return v;
}

static json_t *
name_at(const struct table_metrics *m, size_t row)
{
	struct buf b = {0};
	for (size_t i = 0; i < m->cell_names.n; i++) {
		char *text = table_text(m->cell_names.v[i], row);
		buf_addf(&b, "%s%s", i ? " " : "", text ? text : "-");
		free(text);
	}
	json_t *v = m->cell_names.n ? json_value_text(b.p) : text_at(m->name, row);
	buf_free(&b);
	return v;
}

static json_t *
number_value(double x)
{
	bool whole = fabs(x) < 0x1p53 && fabs(x - trunc(x)) <= 0;
	return whole ? json_integer((json_int_t)x) : json_value_real(x);
}

static json_t *
params_at(const struct table_metrics *m, size_t row)
{
	json_t *all = m->params.n ? json_object() : json_null();
	for (size_t i = 0; i < m->params.n; i++) {
		const struct column *c = m->params.v[i];
		double x = number_at(c, row);
		json_object_setn_new(all, c->name, strlen(c->name) - strlen("_param"),
		    isfinite(x) ? number_value(x) : text_at(c, row));
	}
	return all;
}

json_t *
table_metrics_record(const struct table_metrics *m, size_t row)
{
	double index = number_at(m->cell_index, row);
	json_t *r = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
	    "type", "table_metrics", "usecase", text_at(m->usecase, row), "name", name_at(m, row),
	    "label", m->by_file ? json_string(table_file_of(m->t, row)->path) :
	    text_at(m->label, row), "params", params_at(m, row),
	    "cell_index", isfinite(index) ? json_integer((json_int_t)index) : json_null(),
	    "cell_id", text_at(m->id, row), "execution_status", text_at(m->status, row),
	    "source_line", text_at(m->source_line, row));
	for (size_t i = 0; r && i < m->values.n; i++)
		if (!json_object_get(r, m->values.v[i]->name))
			json_object_set_new(r, m->values.v[i]->name,
			    number_value(number_at(m->values.v[i], row)));
	if (!r)
		die(ST_SYSTEM, "out of memory");
	return r;
}

/* ---- files ------------------------------------------------------------------------- */

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

static void
read_rows(struct results *results, char *path, const struct list *by)
{
	char *paths[] = {path, NULL};
	struct scan s = {0};
	struct lines in = {.name = path};
	struct list metrics = {0};
	struct table t;
	xtable_read(&t, paths, &(struct table_spec){.others = KEEP_GUESS});
	for (size_t i = 0; i < results->metrics; i++)
		xlist_append(&metrics, results->metric[i], NULL);
	struct table_metrics *m = xtable_metrics_of(&t, by, &metrics, results->by_file);
	json_t *notes = table_note_values(&t, NULL);
	table_note_warn(notes);
	json_decref(notes);
	for (size_t row = 0; row < t.n_rows; row++) {
		json_t *r = table_metrics_record(m, row);
		char *line = json_text_of(r);
		in.number = row + 1;
		xscan_record(&s, &in, line, strlen(line));
		results_read(results, &s, &in);
		free(line);
		json_decref(r);
	}
	table_metrics_free(m);
	table_free(&t);
	free(s.m);
}

void
xtable_metrics_read(struct results *results, char **paths, const struct list *by)
{
	char dash[] = "-", *stdin_only[] = {dash, NULL};
	target = results;
	for (char **p = *paths ? paths : stdin_only; *p; p++) {
		char *one[] = {*p, NULL};
		if (by->n || is_table(*p))
			read_rows(results, *p, by);
		else
			xscan_files(one, read_result);
	}
}
