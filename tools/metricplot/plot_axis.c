/* plot_axis.c: scales, titles and units of a view's axes. */
#include "plot_axis.h"
#include "base/die.h"
#include "base/num.h"
#include "figure/figure_value.h"
#include "plot_groups.h"
#include "plot_kind.h"
#include "plot_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_SPREAD = 50, DECADE_PX = 90, LINE_PX = 22, FEW_VALUES = 8 };
#define MOSTLY_MS 0.1
#define MOSTLY_HOURS 36000
#define MIN_PLAIN 1e-4	/* numbers of an axis without an exponent */
#define MAX_PLAIN 1e12

static bool
wants_log(const struct plotting *p, const json_t *def, double least, double most)
{
	static bool told;
	const char *wish = p->plan->o.log;
	const json_t *usual = json_object_get(def, "log"), *spread = json_object_get(def, "spread");
	if (strcmp(wish, "yes") == 0 && !(least > 0) && !told) {
		warn("an axis is linear despite --log: not all of its values are above 0");
		told = true;
	}
	if (strcmp(wish, "auto") == 0 && json_is_boolean(usual))
		wish = json_is_true(usual) ? "yes" : "no";
	return least > 0 && strcmp(wish, "no") != 0 && (strcmp(wish, "yes") == 0 ||
	    most / least > (spread ? json_number_value(spread) : USUAL_SPREAD));
}

/* Chooses the scale and the unit of an axis between these values. */
static void
choose_scale(const struct plotting *p, struct value_axis *a, const json_t *def,
    const struct measure *m, struct unit *unit)
{
	double largest = fmax(fabs(a->least), fabs(a->most));
	a->log = wants_log(p, def, a->least, a->most);
	if (a->log)
		largest = sqrt(a->least * a->most);
	/* Powers of ten of minutes are not readable. */
	if (a->log && m->unit.quantity == OF_TIME && largest * m->unit.factor > MOSTLY_MS &&
	    largest * m->unit.factor < MOSTLY_HOURS)
		largest = 1 / m->unit.factor;
	*unit = unit_suits(&m->unit, largest, p->plan->o.binary, &a->ratio);
}

struct value_axis
plot_axis_of_values(const struct plotting *p, size_t measure, bool positive)
{
	struct value_axis a = {.least = INFINITY, .most = -INFINITY};
	struct unit unit;
	const double *v = p->of[measure].column->number;
	for (size_t i = 0; i < p->s.g.first[p->s.g.n]; i++) {
		double x = v[p->s.g.rows[i]];
		if (isnan(x) || (positive && !(x > 0)))
			continue;
		a.least = fmin(a.least, x);
		a.most = fmax(a.most, x);
	}
	choose_scale(p, &a, NULL, &p->of[measure], &unit);
	return a;
}

double
plot_axis_share(const struct value_axis *a, double x)
{
	if (!(a->most > a->least))
		return 0.5;
	return a->log ? log(x / a->least) / log(a->most / a->least) :
	    (x - a->least) / (a->most - a->least);
}

double
plot_axis_at(const struct value_axis *a, double share)
{
	return a->log ? a->least * pow(a->most / a->least, share) :
	    a->least + share * (a->most - a->least);
}

/* A little outside the values, in the axis' unit. */
static void
widen(const struct value_axis *a, double *least, double *most)
{
	double lo = a->least * a->ratio, hi = a->most * a->ratio;
	double times = hi > lo ? pow(hi / lo, 0.02) : 1.5;
	double more = hi > lo ? (hi - lo) / 50 : hi != 0 ? fabs(hi) / 10 : 1;
	*least = a->log ? lo / times : lo - more;
	*most = a->log ? hi * times : hi + more;
}

static bool
is_on_axis(const json_t *of, size_t measure)
{
	return json_is_string(of) || (of ? json_integer_value(of) : 1) == (json_int_t)measure + 1;
}

/* From the least to the most of these numbers of all parts. */
static struct value_axis
reach_of(struct plotting *p, const struct pane *pane, const json_t *def)
{
	struct value_axis a = {.least = INFINITY, .most = -INFINITY};
	size_t i;
	double sum = 0;
	json_t *name;
	struct pane all = *pane;
	all.from = 0;
	all.to = p->n_shown + (p->n_rest > 0);
	for (size_t part = 0; part < plot_part_count(p, p->key != NULL); part++)
		for (size_t k = 0; k < pane->n; k++) {
			struct row r;
			if (!is_on_axis(json_object_get(def, "of"), k) ||
			    !plot_part_row(p, &all, part, p->key != NULL, &r))
				continue;
			r.measure = k;
			json_array_foreach(json_object_get(def, "reach"), i, name) {
				double x = plot_row_value(&r, json_string_value(name));
				sum += isnan(x) ? 0 : x;
				a.least = fmin(a.least, x);	/* ignores NaN */
				a.most = fmax(a.most, x);
			}
		}
	a.most = json_is_true(json_object_get(def, "sum")) ? sum : a.most;
	return a;
}

static char *
title_of(const struct plotting *p, const struct pane *pane, const json_t *def, size_t first,
    const struct unit *unit)
{
	static const char *const words[] = {[OF_TIME] = "time", [OF_BYTES] = "size"};
	const struct measure *m = &p->of[pane->of[first]];
	enum quantity q = m->unit.quantity;
	const char *own = json_string_value(json_object_get(def, "title"));
	bool shared = pane->n > 1 && json_is_string(json_object_get(def, "of"));
	char *name = own ? xstrdup(own) : shared ? xstrdup(q < COUNT(words) && words[q] ?
	    words[q] : "value") : plot_kind_text(p->kind, "measures", NULL) ? plot_measure_title(m) :
	    plot_measure_name(m);
	char *title = xasprintf(*unit->symbol ? "%s (%s)" : "%s", name, unit->symbol);
	free(name);
	return title;
}

static void
bind_axis(const struct value_axis *a, const char *name, const char *title, bool zero, double px,
    json_t *ticks, json_t *values)
{
	double least, most, largest = fmax(fabs(a->least), fabs(a->most)) * a->ratio;
	json_t *axis = json_object(), *scale;
	char *key = xasprintf("%s_title", name);
	widen(a, &least, &most);
	scale = zero && !a->log ? json_pack("{s:[f, f], s:b, s:b}", "domain",
	    a->least * a->ratio, a->most * a->ratio, "zero", 1, "nice", 1) :
	    json_pack("{s:s, s:[f, f], s:b, s:b}", "type", a->log ? "log" : "linear", "domain",
		least, most, "nice", 0, "zero", 0);
	if (ticks)
		json_object_update_new(axis, json_pack("{s:o, s:s}", "values", ticks, "format",
		    "~r"));
	/* Powers of ten alone, if there are more than this. */
	else if (a->log)
		json_object_set_new(axis, "tickCount", json_integer((json_int_t)fmax(3, px /
		    (*name == 'y' ? LINE_PX : DECADE_PX))));
	else if ((largest > 0 && largest < MIN_PLAIN) || largest > MAX_PLAIN)
		json_object_set_new(axis, "format", json_string("~e"));
	figure_set_text(values, key, "%s", title);
	free(key);
	key = xasprintf("%s_axis", name);
	json_object_set_new(values, key, axis);
	free(key);
	key = xasprintf("%s_extent", name);
	json_object_set_new(values, key, json_pack("[f, f]", a->log ? log(least) : least,
	    a->log ? log(most) : most));
	free(key);
	key = xasprintf("%s_scale", name);
	json_object_set_new(values, key, scale);
	free(key);
}

/* A parameter's values, if they are few; else NULL. */
static json_t *
ticks_of(const struct plotting *p, size_t measure)
{
	json_t *ticks = json_array(), *tick;
	const double *v = p->of[measure].column->number;
	for (size_t i = 0; i < p->s.g.first[p->s.g.n] && ticks; i++) {
		double x = v[p->s.g.rows[i]];
		bool is_new = x > 0;
		size_t k;
		json_array_foreach(ticks, k, tick)
			is_new &= json_real_value(tick) != x;
		if (is_new)
			json_array_append_new(ticks, json_real(x));
		if (json_array_size(ticks) <= FEW_VALUES)
			continue;
		json_decref(ticks);
		ticks = NULL;
	}
	return ticks;
}

void
plot_axis_set(struct plotting *p, struct pane *pane, const char *name, json_t *values)
{
	const json_t *def = json_object_get(json_object_get(p->kind, "axes"), name);
	const json_t *of = json_object_get(def, "of");
	bool zero = json_is_true(json_object_get(def, "zero"));
	size_t first = json_is_integer(of) ? (size_t)json_integer_value(of) - 1 : 0;
	struct value_axis *a = *name == 'y' ? &pane->y : &pane->x;
	struct unit unit;
	if (!def || first >= pane->n)
		return;
	*a = json_object_get(def, "reach") ? reach_of(p, pane, def) :
	    plot_axis_of_values(p, pane->of[first], json_is_true(json_object_get(def, "log")));
	for (size_t k = 0; k < pane->n; k++)
		if (is_on_axis(of, k) && !plot_measure_has_unit_of(&p->of[pane->of[k]],
		    &p->of[pane->of[first]]))
			plot_empty(p, "nothing to draw: '%s' and '%s' have different units",
			    p->of[pane->of[first]].name, p->of[pane->of[k]].name);
	if (!(a->least <= a->most))
		a->least = a->most = 1;
	if (zero && !(a->least > 0 && wants_log(p, def, a->least, a->most)))
		a->least = fmin(a->least, 0);
	choose_scale(p, a, def, &p->of[pane->of[first]], &unit);
	for (size_t k = 0; k < pane->n; k++)
		if (is_on_axis(of, k))
			pane->ratio[k] = a->ratio;
	char *title = title_of(p, pane, def, first, &unit);
	bind_axis(a, name, title, zero, *name == 'y' ? pane->high : pane->wide,
	    json_is_true(json_object_get(def, "ticks")) ? ticks_of(p, pane->of[first]) : NULL,
	    values);
	free(title);
}
