/* plot_stat.c: statistics of a figure's groups and cells. */
#include "plot_stat.h"
#include "base/die.h"
#include "json/json_value.h"
#include "plot_kind.h"
#include "table/statistic.h"

/* The last value within the limits of outliers. */
static double
whisker_end(const struct stat_table *s, const struct stat_figure *f, bool high)
{
	double end = f->outliers ? NAN : high ? f->d.max : f->d.min;
	for (size_t i = s->g.first[f->group]; f->outliers && i < s->g.first[f->group + 1]; i++) {
		double x = s->of[f->column]->number[s->g.rows[i]];
		if (!isnan(x) && !stat_is_outlier(f, x))
			end = high ? fmax(end, x) : fmin(end, x);
	}
	return end;
}

double
plot_stat(const struct plotting *p, const struct stat_table *s, size_t group, size_t measure,
    const char *name)
{
	const struct measure *m = &p->of[measure];
	name = strcmp(name, "value") == 0 ? m->stat : name;
	if (strcmp(name, "rows") == 0)
		return s->g.first[group + 1] - s->g.first[group];
	if (m->divisor)
		return stat_ratio_of_sums(s, group, m->column->number, m->divisor->number,
		    1 / m->unit.factor);
	if (!m->column)
		return NAN;
	const struct stat_figure *f = stat_figure(s, group, p->stat_column[measure]);
	if (strcmp(name, "low") == 0 || strcmp(name, "high") == 0)
		return whisker_end(s, f, *name == 'h');
	struct statistic_of what = {.of = p->stat_column[measure]};
	return statistic_read(name, &what) ? statistic_of_group(s, group, &what) : (double)NAN;
}

static json_t *
all_of_measure(const struct plotting *p, const struct stat_table *s, size_t group, size_t k)
{
	static const char *const names[] = {"value", "sum", "mean", "sd", "min", "max", "p5",
	    "p25", "p50", "p75", "p95", "low", "high"};
	const struct bins *classes = &p->plan->categories;
	json_t *all = json_object();
	for (size_t i = 0; i < COUNT(names); i++)
		json_object_set_new(all, names[i], plot_measure_number(&p->of[k],
		    plot_stat(p, s, group, k, names[i]), 1, true));
	json_object_set_new(all, "n", json_value_real(plot_stat(p, s, group, k, "n")));
	if (k == p->plan->coloured) {
		size_t c = bins_find(classes, plot_stat(p, s, group, k, "value"));
		json_object_set_new(all, "class", plot_kind_string(c < classes->n ?
		    classes->v[c].name : ""));
	}
	return all;
}

json_t *
plot_stat_all(const struct plotting *p, const struct stat_table *s, size_t group)
{
	json_t *of = json_array();
	double total = 0;
	for (size_t k = 0; k < p->plan->n_of; k++) {
		json_array_append_new(of, all_of_measure(p, s, group, k));
		total += plot_stat(p, s, group, k, "value");
	}
	return json_pack("{s:i, s:o, s:o}", "rows", (int)plot_stat(p, s, group, 0, "rows"), "of",
	    of, "total", plot_measure_number(p->of, total, 1, true));
}
