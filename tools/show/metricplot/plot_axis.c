/* plot_axis.c: scales, titles and units of a view's axes. */
#include "plot_axis.h"
#include "base/die.h"
#include "plot_kind.h"
#include "plot_row.h"

enum { DECADE_PX = 90, LINE_PX = 22 };
#define USUAL_SPREAD 50
#define MOSTLY_MS 0.1
#define MOSTLY_HOURS 36000
#define MIN_PLAIN 1e-4	/* numbers of an axis without an exponent */
#define MAX_PLAIN 1e12

/* Chooses the scale and the unit of an axis between these values. */
static struct unit
choose_scale(const struct plotting *p, struct value_axis *a, const json_t *def,
    const struct measure *m)
{
	const json_t *usual = json_object_get(def, "log");
	double largest = fmax(fabs(a->least), fabs(a->most)), spread = plot_kind_number(def,
	    "spread", NULL);
	enum plot_log wish = p->plan->o.log;
	if (wish == LOG_AUTO && json_is_boolean(usual))
		wish = json_is_true(usual) ? LOG_YES : LOG_NO;
	a->log = a->least > 0 && wish != LOG_NO && (wish == LOG_YES ||
	    a->most / a->least > (spread > 0 ? spread : USUAL_SPREAD));
	if (a->log)
		largest = sqrt(a->least * a->most);
	/* Powers of ten of minutes are not readable. */
	if (a->log && m->unit.quantity == OF_TIME && largest * m->unit.factor > MOSTLY_MS &&
	    largest * m->unit.factor < MOSTLY_HOURS)
		largest = 1 / m->unit.factor;
	return unit_suits(&m->unit, largest, p->plan->o.binary, &a->ratio);
}

struct value_axis
plot_axis_of(const struct plotting *p, size_t measure, bool positive)
{
	struct value_axis a = {.least = INFINITY, .most = -INFINITY};
	const struct column *c = p->of[measure].column;
	for (size_t i = 0; c && i < p->s.g.first[p->s.g.n]; i++) {
		double x = c->number[p->s.g.rows[i]];
		if (!positive || x > 0) {
			a.least = fmin(a.least, x);	/* ignores NaN */
			a.most = fmax(a.most, x);
		}
	}
	choose_scale(p, &a, NULL, &p->of[measure]);
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

/* From the least to the most of the definition's numbers of all parts, or to their sum. */
static struct value_axis
reach_of(const struct plotting *p, const struct pane *pane, const json_t *def, size_t first,
    size_t n)
{
	struct value_axis a = {.least = INFINITY, .most = -INFINITY};
	struct pane all = *pane;
	struct row r = {0};
	double sum = 0;
	size_t i, part = 0;
	json_t *name;
	all.from = p->all.from;
	all.to = p->all.to;
	while (plot_row_next(p, &all, &part, p->key, &r)) {
		for (r.measure = first; r.measure < first + n; r.measure++)
			json_array_foreach(json_object_get(def, "reach"), i, name) {
				double x = plot_row_number(&r, json_string_value(name));
				sum += isnan(x) ? 0 : x;
				a.least = fmin(a.least, x);	/* ignores NaN */
				a.most = fmax(a.most, x);
			}
		json_decref(r.own);
	}
	a.most = plot_kind_is(def, "sum", NULL) ? sum : a.most;
	return a;
}

static char *
title_of(const struct plotting *p, const json_t *def, const struct measure *m, bool shared,
    const struct unit *unit)
{
	const char *own = plot_kind_text(def, "title", NULL);
	enum quantity q = m->unit.quantity;
	char *name = own ? xstrdup(own) : !shared ? plot_measure_shown(m, p->kind) :
	    xstrdup(q == OF_TIME ? "time" : q == OF_BYTES ? "size" : "value");
	char *title = xasprintf(*unit->symbol ? "%s (%s)" : "%s", name, unit->symbol);
	free(name);
	return title;
}

/* Powers of ten alone on a logarithmic axis, if there are more than fit, and exponents where other
 * numbers are not readable. */
static json_t *
ticks_of(const struct value_axis *a, bool upright, double px)
{
	double largest = fmax(fabs(a->least), fabs(a->most)) * a->ratio;
	if (a->log)
		return json_pack("{s:i}", "tickCount", (int)fmax(3, px / (upright ? LINE_PX :
		    DECADE_PX)));
	return (largest > 0 && largest < MIN_PLAIN) || largest > MAX_PLAIN ?
	    json_pack("{s:s}", "format", "~e") : json_object();
}

/* A little outside the values, unless it begins at 0. */
static void
set_domain(const struct value_axis *a, bool zero, double *lo, double *hi)
{
	*lo = a->least * a->ratio;
	*hi = a->most * a->ratio;
	double times = *hi > *lo ? pow(*hi / *lo, 0.02) : 1.5;
	double more = *hi > *lo ? (*hi - *lo) / 50 : *hi != 0 ? fabs(*hi) / 10 : 1;
	if (zero)
		return;
	*lo = a->log ? *lo / times : *lo - more;
	*hi = a->log ? *hi * times : *hi + more;
}

void
plot_axis_set(struct plotting *p, struct pane *pane, const char *name, const json_t *def,
    json_t *values)
{
	static bool told;
	size_t of = (size_t)plot_kind_number(def, "of", NULL);	/* 0: all, counted from 1 */
	size_t first = of ? of - 1 : 0, n = of ? 1 : pane->n;
	bool zero = plot_kind_is(def, "zero", NULL);
	struct value_axis *a = *name == 'y' ? &pane->y : &pane->x;
	const struct measure *m = &p->of[pane->of[first]];
	*a = json_object_get(def, "reach") ? reach_of(p, pane, def, first, n) :
	    plot_axis_of(p, pane->of[first], plot_kind_is(p->kind, "positive", NULL));
	if (!(a->least <= a->most))
		a->least = a->most = 1;
	if (p->plan->o.log == LOG_YES && !(a->least > 0) && !told) {
		warn("an axis is linear despite --log: not all of its values are above 0");
		told = true;
	}
	choose_scale(p, a, def, m);
	zero &= !a->log;
	if (zero)
		a->least = fmin(a->least, 0);
	struct unit unit = choose_scale(p, a, def, m);
	for (size_t k = first; k < first + n; k++) {
		pane->ratio[k] = a->ratio;
		if (!plot_measure_has_unit_of(&p->of[pane->of[k]], m))
			plot_empty(p, "nothing to draw: '%s' and '%s' have different units",
			    m->name, p->of[pane->of[k]].name);
	}
	double lo, hi;
	char *title = title_of(p, def, m, n > 1, &unit);
	set_domain(a, zero, &lo, &hi);
	json_object_update_new(values, json_pack("{s+:o, s+:o, s+:{s:s, s:[f, f], s:b, s:b}, "
	    "s+:[f, f]}", name, "_title", plot_kind_string(title), name, "_axis", ticks_of(a,
	    *name == 'y', *name == 'y' ? pane->high : pane->wide), name, "_scale", "type",
	    a->log ? "log" : "linear", "domain", lo, hi, "nice", zero, "zero", zero, name,
	    "_extent", a->log ? log(lo) : lo, a->log ? log(hi) : hi));
	free(title);
}
