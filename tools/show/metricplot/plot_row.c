/* plot_row.c: rows of a figure's data. */
#include "plot_row.h"
#include "base/die.h"
#include "metric/metric_column.h"
#include "plot_kind.h"

enum { NAME_BYTES = 32, MAX_DIGITS = 9, NO_MEASURE = MAX_MEASURES };

/* ---- numbers ---------------------------------------------------------------------------- */

/* The last value within the limits of outliers. */
static double
whisker_end(const struct stat_table *s, const struct stat_figure *f, bool high)
{
	double end = NAN;
	for (size_t i = s->g.first[f->group]; i < s->g.first[f->group + 1]; i++) {
		double x = s->of[f->column]->number[s->g.rows[i]];
		if (!isnan(x) && !stat_is_outlier(f, x))
			end = high ? fmax(end, x) : fmin(end, x);
	}
	return end;
}

static double
percentile(const struct stat_table *s, const struct stat_figure *f, double p)
{
	const struct wanted *w = &s->wanted[f->column];
	for (size_t i = 0; i < w->n; i++)
		if (fabs(w->p[i] - p) < 1e-9)
			return stat_percentiles(s, f)[i];
	return NAN;
}

static double
statistic(const struct row *r, size_t measure, const char *name)
{
	size_t k = r->pane->of[measure];
	const struct stat_table *s = r->s;
	const struct measure *m = &r->p->of[k];
	name = strcmp(name, "value") == 0 ? m->stat : name;
	if (strcmp(name, "rows") == 0)
		return s->g.first[r->group + 1] - s->g.first[r->group];
	if (m->divisor)
		return stat_ratio_of_sums(s, r->group, m->column->number, m->divisor->number,
		    1 / m->unit.factor);
	if (!m->column)
		return NAN;
	const struct stat_figure *f = stat_figure(s, r->group, r->p->stat_column[k]);
	const struct {
		const char *name;
		double v;
	} numbers[] = {{"n", (double)f->d.n}, {"sum", f->d.n ? f->d.sum : NAN},
	    {"mean", f->d.mean}, {"sd", f->d.std}, {"min", f->d.min}, {"max", f->d.max}};
	for (size_t i = 0; i < COUNT(numbers); i++)
		if (strcmp(name, numbers[i].name) == 0)
			return numbers[i].v;
	if (strcmp(name, "low") == 0 || strcmp(name, "high") == 0)
		return whisker_end(s, f, *name == 'h');
	return name[0] == 'p' ? percentile(s, f, strtod(name + 1, NULL) / 100) : NAN;
}

/* Which measure of the pane has the unit of a row's own number; NO_MEASURE: a pure number. */
static size_t
measure_of(const char *name)
{
	static const char *const first[] = {"x", "from", "to", "value", "whole"};
	for (size_t i = 0; i < COUNT(first); i++)
		if (strcmp(name, first[i]) == 0)
			return 0;
	return strcmp(name, "y") == 0 ? 1 : NO_MEASURE;
}

static double
number_of(const struct row *r, const char *full, size_t *measure)
{
	char name[NAME_BYTES];
	const json_t *own = json_object_get(r->own, full);
	const char *at = strchr(full, '@');
	*measure = own ? measure_of(full) : at ? strtoul(at + 1, NULL, 10) - 1 : r->measure;
	if (own)
		return json_is_number(own) ? json_number_value(own) : NAN;
	if (!r->s || *measure >= r->pane->n)
		return NAN;
	snprintf(name, sizeof name, "%.*s", (int)strcspn(full, "@"), full);
	if (strcmp(name, "total") == 0) {
		double sum = 0;
		for (size_t k = 0; k < r->pane->n; k++)
			sum += statistic(r, k, "value");
		return sum;
	}
	double v = statistic(r, *measure, name);
	if (strcmp(name, "rows") == 0 || strcmp(name, "n") == 0)
		*measure = NO_MEASURE;
	return v;
}

/* ---- texts ------------------------------------------------------------------------------- */

double
plot_row_number(const struct row *r, const char *name)
{
	size_t measure;
	return number_of(r, name, &measure);
}

/* A word of the row, or the name or title of a measure: "m", "name@2"; NULL: it has none of this
 * name. */
static char *
word_of(const struct row *r, const char *full)
{
	const char *own = json_string_value(json_object_get(r->own, full)), *at = strchr(full, '@');
	size_t k = at ? strtoul(at + 1, NULL, 10) - 1 : r->measure, n = strcspn(full, "@");
	if (own)
		return xstrdup(own);
	if (strcmp(full, "against") == 0)
		return metric_column_title(r->p->plan->against.v[0]);
	const struct measure *m = k < r->pane->n ? &r->p->of[r->pane->of[k]] : NULL;
	return !m ? NULL : n == 4 && strncmp(full, "name", n) == 0 ? plot_measure_name(m) :
	    n == 5 && strncmp(full, "title", n) == 0 ? plot_measure_title(m) : n == 1 &&
	    *full == 'm' ? plot_measure_shown(m, r->p->kind) : NULL;
}

/* ".1f" and "" are formats; NULL: the number has its unit. */
static char *
number_text(const struct row *r, double v, size_t measure, const char *format)
{
	bool in_unit = measure < r->pane->n;
	if (!format && in_unit)
		return plot_measure_text(&r->p->of[r->pane->of[measure]], v,
		    r->p->plan->o.binary);
	if (isnan(v))
		return xstrdup(format && !*format ? "-" : "unknown");
	if (!format)
		return xasprintf("%.10g", v);
	int digits = *format ? (int)strtol(format + 1, NULL, 10) : 0;
	if (*format)
		return xasprintf("%.*f", digits >= 0 && digits < MAX_DIGITS ? digits :
		    MAX_DIGITS, v);
	/* Three digits at least, and no exponent unless it is needed. */
	v *= in_unit ? r->pane->ratio[measure] : 1;
	return fabs(v) >= 1000 && fabs(v) < 1e7 ? xasprintf("%.0f", v) : xasprintf("%.3g", v);
}

char *
plot_row_text(const struct row *r, const char *form, bool must_be_known)
{
	struct buf b = {0};
	bool known = true;
	buf_add(&b, "", 0);
	for (const char *end; *form; form = end) {
		size_t n = strcspn(form, "{"), measure;
		buf_add(&b, form, n);
		end = form + n;
		if (!*end || !strchr(end, '}'))
			break;
		char *name = xasprintf("%.*s", (int)strcspn(end + 1, "}"), end + 1);
		char *format = strchr(name, ':');
		end = strchr(end, '}') + 1;
		if (format)
			*format++ = '\0';
		char *text = word_of(r, name);
		if (!text) {
			double v = number_of(r, name, &measure);
			known &= !isnan(v);
			text = number_text(r, v, measure, format);
		}
		buf_add(&b, text, strlen(text));
		free(text);
		free(name);
	}
	if (!known && must_be_known)
		buf_free(&b);
	return b.p;
}

/* The first form whose parts are all known; of a single one they need not be. */
static char *
text_of(const struct row *r, const json_t *forms)
{
	size_t i;
	json_t *form;
	char *text = NULL;
	if (json_is_string(forms))
		return plot_row_text(r, json_string_value(forms), false);
	json_array_foreach((json_t *)forms, i, form)
		if (!text && json_is_string(form))
			text = plot_row_text(r, json_string_value(form), true);
	return text;
}

void
plot_row_add(const struct row *r, const json_t *data, json_t *to)
{
	json_t *row = json_object(), *form;
	const char *key;
	size_t measure;
	json_object_foreach(json_object_get(data, "row"), key, form) {
		const char *word = json_string_value(form);
		bool is_number = word && *word == '=';
		char *text = is_number || (strcmp(key, "tip") == 0 && !r->p->plan->wants_tips) ?
		    NULL : text_of(r, form);
		double v = is_number ? number_of(r, word + 1, &measure) : NAN;
		if (is_number)
			plot_kind_set_number(row, key, measure < r->pane->n ? v *
			    r->pane->ratio[measure] : v);
		else if (text)
			json_object_set_new(row, key, plot_kind_string(text));
		free(text);
	}
	json_array_append_new(to, row);
}

/* ---- rows of parts ---------------------------------------------------------------------- */

/* A group's shares; those of the row of all groups that have no own are what is left. */
static void
set_shares(const struct plotting *p, struct row *r, size_t place)
{
	double share = r->s ? p->share[r->group] : 100 - p->shown_share;
	if (!r->s) {
		plot_kind_set_number(r->own, "value", p->whole * share / 100);
		plot_kind_set_number(r->own, "rest", 1);
	}
	plot_kind_set_number(r->own, "share", share);
	plot_kind_set_number(r->own, "rank", (double)place + 1);
	plot_kind_set_number(r->own, "held", place < p->n_held);
}

/* A cell's value of the key, and how much of the group's first measure it has. */
static void
set_key(const struct plotting *p, struct row *r)
{
	char *key = table_text(p->key, p->cells.g.rows[p->cells.g.first[r->group]]);
	struct row whole = {.p = p, .pane = r->pane, .s = &p->s, .group = r->of};
	json_object_set_new(r->own, "a", plot_kind_string(key ? key : "unknown"));
	plot_kind_set_number(r->own, "part", 100 * plot_row_number(r, "value") /
	    plot_row_number(&whole, "value"));
	free(key);
}

bool
plot_row_next(const struct plotting *p, const struct pane *pane, size_t *part, bool cells,
    struct row *r)
{
	size_t n = cells ? p->cells.g.n : p->all.to, place, group = *part ? r->of : 0, i;
	do {
		if ((i = (*part)++) == n)
			return false;
		/* Cells are in the order of their groups, and have the same rows. */
		while (cells && p->cells.g.first[i] >= p->s.g.first[group + 1])
			group++;
		place = cells ? p->place[group] : i;
	} while (place < pane->from || place >= pane->to);
	bool rest = !cells && i == p->n_shown;
	*r = (struct row){.p = p, .pane = pane, .s = rest ? NULL : cells ? &p->cells : &p->s,
	    .group = cells ? i : rest ? 0 : p->shown[i], .of = group, .own = json_object()};
	json_object_set(r->own, "g", json_array_get(p->labels, place));
	if (cells)
		set_key(p, r);
	else
		set_shares(p, r, place);
	return true;
}
