/* plot_row.c: a row of a figure's data: numbers and words by name, as a kind of figure asks for. */
#include "plot_row.h"
#include "base/buf.h"
#include "base/die.h"
#include "figure/figure_value.h"
#include "metric/metric_column.h"
#include "plot_groups.h"
#include "plot_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 32, MAX_DIGITS = 9 };

void
plot_row_number(struct row *r, const char *name, double v, size_t measure)
{
	r->number[r->n_numbers].name = name;
	r->number[r->n_numbers].v = v;
	r->number[r->n_numbers++].measure = measure;
}

void
plot_row_word(struct row *r, const char *name, const char *text)
{
	r->word[r->n_words].name = name;
	r->word[r->n_words++].text = text;
}

/* The number in the unit of its column, and which measure of the pane it is of. */
static double
number_of(const struct row *r, const char *full, size_t *measure)
{
	char name[NAME_BYTES];
	size_t n = strcspn(full, "@");
	const char *at = full[n] ? full + n + 1 : NULL;
	snprintf(name, sizeof name, "%.*s", (int)n, full);
	for (size_t i = 0; i < r->n_numbers; i++)
		if (strcmp(r->number[i].name, full) == 0) {
			*measure = r->number[i].measure;
			return r->number[i].v;
		}
	*measure = at ? strtoul(at, NULL, 10) - 1 : r->measure;
	if (!r->s || *measure >= r->pane->n)
		return NAN;
	if (strcmp(name, "total") == 0) {
		double sum = 0;
		for (size_t k = 0; k < r->pane->n; k++)
			sum += plot_groups_number(r->p, r->s, r->group, r->pane->of[k], "value");
		return sum;
	}
	double v = plot_groups_number(r->p, r->s, r->group, r->pane->of[*measure], name);
	if (plot_groups_is_pure(name))
		*measure = NO_MEASURE;
	return v;
}

double
plot_row_value(const struct row *r, const char *name)
{
	size_t measure;
	return number_of(r, name, &measure);
}

/* A word of the row, or the title of a measure: "m", "m@2"; NULL: it has none of this name. */
static char *
word_of(const struct row *r, const char *name)
{
	for (size_t i = 0; i < r->n_words; i++)
		if (strcmp(r->word[i].name, name) == 0)
			return xstrdup(r->word[i].text);
	if (strcmp(name, "against") == 0)
		return metric_column_title(r->p->plan->against.v[0]);
	if (strcmp(name, "name") == 0)
		return plot_measure_name(&r->p->of[r->pane->of[r->measure]]);
	if (name[0] != 'm' || (name[1] && name[1] != '@'))
		return NULL;
	size_t k = name[1] ? strtoul(name + 2, NULL, 10) - 1 : r->measure;
	const struct measure *m = &r->p->of[r->pane->of[k]];
	return plot_kind_text(r->p->kind, "measures", NULL) && !m->title ?
	    plot_measure_title(m) : plot_measure_name(m);
}

/* Three digits at least, and no exponent unless it is needed. */
static char *
plain_number(double x)
{
	return isnan(x) ? xstrdup("-") : fabs(x) >= 1000 && fabs(x) < 1e7 ?
	    xasprintf("%.0f", x) : xasprintf("%.3g", x);
}

/* ".1f", "+.1f" and "" are formats; NULL: the number has its unit. */
static char *
number_text(const struct row *r, double v, size_t measure, const char *format)
{
	bool in_unit = measure < r->pane->n;
	int digits = format && strchr(format, '.') ? atoi(strchr(format, '.') + 1) : 0;
	if (!format && in_unit)
		return plot_measure_text(&r->p->of[r->pane->of[measure]], v,
		    r->p->plan->o.binary);
	if (format && !*format)
		return plain_number(in_unit ? v * r->pane->ratio[measure] : v);
	if (isnan(v))
		return xstrdup("unknown");
	return format ? xasprintf(*format == '+' ? "%+.*f" : "%.*f", digits < MAX_DIGITS ?
	    digits : MAX_DIGITS, v) : xasprintf("%.10g", v);
}

char *
plot_row_text(const struct row *r, const char *form, bool must_be_known)
{
	struct buf b = {0};
	buf_add(&b, "", 0);
	for (const char *end; *form; form = end) {
		size_t n = strcspn(form, "{"), measure;
		buf_add(&b, form, n);
		end = form + n;
		if (!*end || !strchr(end, '}'))
			break;
		char *name = xasprintf("%.*s", (int)strcspn(end + 1, "}"), end + 1), *text;
		char *format = strchr(name, ':');
		end = strchr(end, '}') + 1;
		if (format)
			*format++ = '\0';
		if (!(text = word_of(r, name))) {
			double v = number_of(r, name, &measure);
			if (isnan(v) && must_be_known) {
				free(name);
				buf_free(&b);
				return NULL;
			}
			text = number_text(r, v, measure, format);
		}
		buf_addf(&b, "%s", text);
		free(text);
		free(name);
	}
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

static void
add_field(const struct row *r, json_t *to, const char *key, const char *name)
{
	size_t measure;
	char *word = word_of(r, name);
	if (word) {
		figure_set_text(to, key, "%s", word);
	} else {
		double v = number_of(r, name, &measure);
		figure_set_number(to, key, measure < r->pane->n ? v * r->pane->ratio[measure] : v);
	}
	free(word);
}

void
plot_row_add(const struct row *r, const json_t *data, json_t *to)
{
	json_t *row = json_object(), *forms;
	const char *fields = json_string_value(json_object_get(data, "fields")), *key;
	for (const char *at = fields ? fields : ""; *at; at += strspn(at, " ")) {
		char *field = xasprintf("%.*s", (int)strcspn(at, " "), at);
		char *eq = strchr(field, '=');
		at += strlen(field);
		if (eq)
			*eq = '\0';
		add_field(r, row, field, eq ? eq + 1 : field);
		free(field);
	}
	json_object_foreach(json_object_get(data, "texts"), key, forms) {
		char *text = strcmp(key, "tip") != 0 || r->p->wants_tips ?
		    text_of(r, forms) : NULL;
		if (text)
			figure_set_text(row, key, "%s", text);
		free(text);
	}
	json_array_append_new(to, row);
}
