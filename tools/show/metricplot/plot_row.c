/* plot_row.c: rows of a figure's data. */
#include "plot_row.h"
#include "base/buf.h"
#include "base/die.h"
#include "figure_template.h"
#include "metric/metric_column.h"
#include "plot_groups.h"
#include "plot_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 32, MAX_DIGITS = 9, NO_MEASURE = MAX_MEASURES };

/* Which measure of the pane has the unit of a row's own number; NO_MEASURE: a pure number. */
static size_t
measure_of(const char *name)
{
	static const char *const first[] = {"x", "from", "to", "percentile", "value", "whole"};
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
			sum += plot_groups_number(r->p, r->s, r->group, r->pane->of[k], "value");
		return sum;
	}
	double v = plot_groups_number(r->p, r->s, r->group, r->pane->of[*measure], name);
	if (strcmp(name, "rows") == 0 || strcmp(name, "n") == 0)
		*measure = NO_MEASURE;
	return v;
}

double
plot_row_number(const struct row *r, const char *name)
{
	size_t measure;
	return number_of(r, name, &measure);
}

/* A word of the row, or the title of a measure: "m", "m@2"; NULL: it has none of this name. */
static char *
word_of(const struct row *r, const char *name)
{
	const char *own = json_string_value(json_object_get(r->own, name));
	if (own)
		return xstrdup(own);
	size_t k = strncmp(name, "m@", 2) == 0 ? strtoul(name + 2, NULL, 10) - 1 : r->measure;
	const struct measure *m = k < r->pane->n ? &r->p->of[r->pane->of[k]] : NULL;
	if (strcmp(name, "against") == 0)
		return metric_column_title(r->p->plan->against.v[0]);
	if (m && strcmp(name, "name") == 0)
		return plot_measure_name(m);
	return m && name[0] == 'm' && (!name[1] || name[1] == '@') ?
	    plot_measure_shown(m, r->p->kind) : NULL;
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

/* "x=value": the member x of the row is the number or the word "value". */
static void
add_field(const struct row *r, json_t *to, char *field)
{
	size_t measure;
	char *eq = strchr(field, '='), *name = eq ? eq + 1 : field;
	char *word = word_of(r, name);
	if (eq)
		*eq = '\0';
	if (word) {
		figure_set_text(to, field, word);
	} else {
		double v = number_of(r, name, &measure);
		figure_set_number(to, field, measure < r->pane->n ? v * r->pane->ratio[measure] :
		    v);
	}
	free(word);
}

void
plot_row_add(const struct row *r, const json_t *data, json_t *to)
{
	json_t *row = json_object(), *forms;
	const char *at = json_string_value(json_object_get(data, "fields")), *key;
	for (; at && *at; at += strspn(at, " ")) {
		char *field = xasprintf("%.*s", (int)strcspn(at, " "), at);
		at += strlen(field);
		add_field(r, row, field);
		free(field);
	}
	json_object_foreach(json_object_get(data, "texts"), key, forms) {
		char *text = strcmp(key, "tip") != 0 || r->p->plan->wants_tips ?
		    text_of(r, forms) : NULL;
		if (text)
			figure_set_text(row, key, text);
		free(text);
	}
	json_array_append_new(to, row);
}

/* ---- rows of parts ---------------------------------------------------------------------- */

size_t
plot_row_parts(const struct plotting *p, bool cells)
{
	return cells ? p->cells.g.n : p->n_shown + (p->n_rest > 0);
}

/* A group's shares; those of the row of all groups that have no own are what is left. */
static void
set_shares(const struct plotting *p, struct row *r, size_t place)
{
	double share = r->s ? p->share[r->group] : 100 - p->shown_share;
	if (!r->s) {
		figure_set_number(r->own, "value", p->whole * share / 100);
		figure_set_number(r->own, "rest", 1);
	}
	figure_set_number(r->own, "share", share);
	figure_set_number(r->own, "rank", (double)place + 1);
	figure_set_number(r->own, "held", place < p->n_held);
}

/* A cell's value of the key, and how much of the group's first measure it has. */
static void
set_key(const struct plotting *p, struct row *r, size_t group)
{
	char *key = table_text(p->key, p->cells.g.rows[p->cells.g.first[r->group]]);
	struct row whole = {.p = p, .pane = r->pane, .s = &p->s, .group = group};
	figure_set_text(r->own, "a", key ? key : "unknown");
	figure_set_number(r->own, "part", 100 * plot_row_number(r, "value") /
	    plot_row_number(&whole, "value"));
	free(key);
}

bool
plot_row_of(const struct plotting *p, const struct pane *pane, size_t part, bool cells,
    struct row *r)
{
	size_t place = cells ? p->place[p->cell_group[part]] : part;
	bool rest = !cells && part == p->n_shown;
	if (place < pane->from || place >= pane->to)
		return false;
	*r = (struct row){.p = p, .pane = pane, .s = rest ? NULL : cells ? &p->cells : &p->s,
	    .group = cells ? part : rest ? 0 : p->shown[part], .own = json_object()};
	json_object_set(r->own, "g", json_array_get(p->labels, place));
	if (cells)
		set_key(p, r, p->cell_group[part]);
	else
		set_shares(p, r, place);
	return true;
}
