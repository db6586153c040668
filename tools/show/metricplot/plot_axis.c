/* plot_axis.c: scales, titles and units of a view's axes. */
#include "plot_axis.h"
#include "base/die.h"
#include "figure_template.h"
#include "plot_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_SPREAD = 50, DECADE_PX = 90, LINE_PX = 22 };
#define MOSTLY_MS 0.1
#define MOSTLY_HOURS 36000
#define MIN_PLAIN 1e-4	/* numbers of an axis without an exponent */
#define MAX_PLAIN 1e12

static bool
wants_log(const struct plotting *p, const json_t *def, double least, double most)
{
	static bool told;
	enum plot_log wish = p->plan->o.log;
	const json_t *usual = json_object_get(def, "log"), *spread = json_object_get(def, "spread");
	if (wish == LOG_YES && !(least > 0) && !told) {
		warn("an axis is linear despite --log: not all of its values are above 0");
		told = true;
	}
	if (wish == LOG_AUTO && json_is_boolean(usual))
		wish = json_is_true(usual) ? LOG_YES : LOG_NO;
	return least > 0 && wish != LOG_NO && (wish == LOG_YES ||
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

static bool
is_on_axis(const json_t *def, size_t measure)
{
	const json_t *of = json_object_get(def, "of");
	return json_is_string(of) || (of ? json_integer_value(of) : 1) == (json_int_t)measure + 1;
}

/* From the least to the most of these numbers of all parts, or to their sum. */
static struct value_axis
reach_of(const struct plotting *p, const struct pane *pane, const json_t *def)
{
	struct value_axis a = {.least = INFINITY, .most = -INFINITY};
	struct pane all = *pane;
	struct row r;
	double sum = 0;
	size_t i;
	json_t *name;
	bool cells = p->key != NULL;
	all.from = p->all.from;
	all.to = p->all.to;
	for (size_t part = 0; part < plot_row_parts(p, cells); part++) {
		if (!plot_row_of(p, &all, part, cells, &r))
			continue;
		for (r.measure = 0; r.measure < pane->n; r.measure++)
			json_array_foreach(json_object_get(def, "reach"), i, name) {
				double x = is_on_axis(def, r.measure) ? plot_row_number(&r,
				    json_string_value(name)) : NAN;
				sum += isnan(x) ? 0 : x;
				a.least = fmin(a.least, x);	/* ignores NaN */
				a.most = fmax(a.most, x);
			}
		json_decref(r.own);
	}
	a.most = json_is_true(json_object_get(def, "sum")) ? sum : a.most;
	return a;
}

static char *
title_of(const struct plotting *p, const struct pane *pane, const json_t *def,
    const struct measure *m, const struct unit *unit)
{
	static const char *const words[] = {[OF_TIME] = "time", [OF_BYTES] = "size"};
	const char *own = json_string_value(json_object_get(def, "title"));
	enum quantity q = m->unit.quantity;
	bool shared = pane->n > 1 && json_is_string(json_object_get(def, "of"));
	if (!own && shared)
		own = q < COUNT(words) && words[q] ? words[q] : "value";
	char *name = own ? xstrdup(own) : plot_measure_shown(m, p->kind);
	char *title = xasprintf(*unit->symbol ? "%s (%s)" : "%s", name, unit->symbol);
	free(name);
	return title;
}

static void
bind(json_t *values, const char *axis, const char *what, json_t *v)
{
	char *name = xasprintf("%s_%s", axis, what);
	json_object_set_new(values, name, v);
	free(name);
}

static void
bind_axis(const struct value_axis *a, const char *name, bool zero, double px, json_t *values)
{
	double lo = a->least * a->ratio, hi = a->most * a->ratio, largest = fmax(fabs(lo), hi);
	/* A little outside the values. */
	double times = hi > lo ? pow(hi / lo, 0.02) : 1.5;
	double more = hi > lo ? (hi - lo) / 50 : hi != 0 ? fabs(hi) / 10 : 1;
	json_t *axis = json_object();
	if (!zero) {
		lo = a->log ? lo / times : lo - more;
		hi = a->log ? hi * times : hi + more;
	}
	/* Powers of ten alone, if there are more than this. */
	if (a->log)
		json_object_set_new(axis, "tickCount", json_integer((json_int_t)fmax(3, px /
		    (*name == 'y' ? LINE_PX : DECADE_PX))));
	else if ((largest > 0 && largest < MIN_PLAIN) || largest > MAX_PLAIN)
		json_object_set_new(axis, "format", json_string("~e"));
	bind(values, name, "axis", axis);
	bind(values, name, "scale", json_pack("{s:s, s:[f, f], s:b, s:b}", "type", a->log ?
	    "log" : "linear", "domain", lo, hi, "nice", zero, "zero", zero));
	bind(values, name, "extent", json_pack("[f, f]", a->log ? log(lo) : lo, a->log ?
	    log(hi) : hi));
}

void
plot_axis_set(struct plotting *p, struct pane *pane, const char *name, const json_t *def,
    json_t *values)
{
	bool zero = json_is_true(json_object_get(def, "zero"));
	size_t first = json_is_integer(json_object_get(def, "of")) ?
	    (size_t)json_integer_value(json_object_get(def, "of")) - 1 : 0;
	struct value_axis *a = *name == 'y' ? &pane->y : &pane->x;
	const struct measure *m = &p->of[pane->of[first]];
	struct unit unit;
	*a = json_object_get(def, "reach") ? reach_of(p, pane, def) :
	    plot_axis_of_values(p, pane->of[first], json_is_true(json_object_get(def, "log")));
	if (!(a->least <= a->most))
		a->least = a->most = 1;
	zero &= !(a->least > 0 && wants_log(p, def, a->least, a->most));
	if (zero)
		a->least = fmin(a->least, 0);
	choose_scale(p, a, def, m, &unit);
	for (size_t k = 0; k < pane->n; k++) {
		if (!is_on_axis(def, k))
			continue;
		pane->ratio[k] = a->ratio;
		if (!plot_measure_has_unit_of(&p->of[pane->of[k]], m))
			plot_empty(p, "nothing to draw: '%s' and '%s' have different units",
			    m->name, p->of[pane->of[k]].name);
	}
	char *title = title_of(p, pane, def, m, &unit);
	bind(values, name, "title", figure_text(title));
	bind_axis(a, name, zero, *name == 'y' ? pane->high : pane->wide, values);
	free(title);
}
