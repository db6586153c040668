/* plot_waterfall.c: the time of a notebook's cells, by phase. */
#include "plot_waterfall.h"
#include "base/die.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "text/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GAP_LEAST_PX = 3 };

/* The mean of each phase over the group's rows; false: none has a time. */
static bool
phases_of(const struct plotting *p, size_t group, double mean[N_PHASES])
{
	double n = 0;
	for (size_t k = 0; k < N_PHASES; k++)
		mean[k] = 0;
	for (size_t i = p->g.first[group]; i < p->g.first[group + 1]; i++) {
		size_t row = p->g.rows[i];
		struct spent spent;
		for (size_t k = 0; k < N_PHASES; k++)
			spent.s[k] = p->phases[k]->number[row];
		if (isnan(spent.s[PHASE_KERNEL]))
			continue;
		n++;
		bool separate = phase_is_separable(&spent);
		for (enum phase k = 0; k < N_PHASES; k++)
			if (phase_is_shown(k, separate) && !isnan(spent.s[k]))
				mean[k] += spent.s[k];
	}
	for (size_t k = 0; k < N_PHASES; k++)
		mean[k] /= n;
	return n > 0;
}

static size_t *
cells_with_times(struct plotting *p, size_t *n, double *whole)
{
	size_t *shown = xmalloc((p->g.n + 1) * sizeof(*shown)), most_rows = 0, none;
	double mean[N_PHASES];
	*n = 0;
	*whole = 0;
	for (size_t i = 0; i < p->g.n; i++) {
		size_t rows = p->g.first[i + 1] - p->g.first[i];
		if (!phases_of(p, i, mean))
			continue;
		shown[(*n)++] = i;
		most_rows = rows > most_rows ? rows : most_rows;
		for (size_t k = 0; k < N_PHASES; k++)
			*whole += mean[k];
	}
	if (!*n)
		plot_empty_figure(p);
	none = p->g.n - *n;
	if (none)
		plot_figure_note(&p->f, "%zu cell%s without times %s not shown.", none,
		    none == 1 ? "" : "s", none == 1 ? "is" : "are");
	if (most_rows > 1)
		plot_figure_note(&p->f, "Each cell: the mean of its rows, at most %zu.", most_rows);
	if (*n > p->most) {
		plot_figure_note(&p->f, "Shown: the first %zu of %zu cells.", p->most, *n);
		*n = p->most;
	}
	return shown;
}

/* The axis of time. */
struct course {
	double at, ratio, px;	/* at: where the next cell begins, in seconds; px: of a second */
};

static void
add_phase(const struct plotting *p, json_t *values, const struct rows *r, size_t i,
    const struct course *t, const char *name, double from, double taken)
{
	static const struct unit seconds = {"s", OF_TIME, 1};
	json_t *row = plot_row(r, i);
	figure_set_text(row, "c", "%s", name);
	figure_set_number(row, "x", from * t->ratio);
	figure_set_number(row, "x2", (from + taken) * t->ratio);
	/* A line of the ground between phases that are wide enough. */
	if (fmin(from - t->at, taken) * t->px >= GAP_LEAST_PX)
		json_object_set_new(row, "gap", json_true());
	if (p->f.wants_tips) {
		char *value = plot_value_text(p, &seconds, taken);
		figure_set_text(row, "tip", "cell %s, %s: %s", r->names[i], name, value);
		free(value);
	}
	json_array_append_new(json_object_get(values, "rows"), row);
}

static void
add_cell(const struct plotting *p, json_t *values, const struct rows *r, size_t i, size_t group,
    struct course *t)
{
	static const struct unit seconds = {"s", OF_TIME, 1};
	double mean[N_PHASES], at = t->at;
	phases_of(p, group, mean);
	for (size_t k = 0; k < N_PHASES; k++) {
		if (!(mean[k] > 0))
			continue;
		add_phase(p, values, r, i, t, phase_defs[k].name, at, mean[k]);
		at += mean[k];
	}
	json_t *row = plot_row(r, i);
	char *value = plot_value_text(p, &seconds, at - t->at);
	figure_set_text(row, "t", "%s", value);
	figure_set_number(row, "x", at * t->ratio);
	json_array_append_new(json_object_get(values, "others"), row);
	free(value);
	t->at = at;
}

/* The phases that occur. */
static void
set_key(struct plotting *p, json_t *values)
{
	json_t *names = json_array(), *colours = json_array(), *row;
	bool used[N_PHASES] = {false};
	size_t i;
	json_array_foreach(json_object_get(values, "rows"), i, row)
		for (size_t k = 0; k < N_PHASES; k++)
			used[k] |= strcmp(json_string_value(json_object_get(row, "c")),
			    phase_defs[k].name) == 0;
	for (size_t k = 0; k < N_PHASES; k++) {
		const struct phase_def *phase = &phase_defs[k];
		if (!used[k])
			continue;
		json_array_append_new(names, json_string(phase->name));
		json_array_append_new(colours, figure_theme_two_colours(phase->light, phase->dark));
		figure_set_text(p->f.dark, phase->light, "%s", phase->dark);
	}
	json_object_set_new(values, "names", names);
	json_object_set_new(values, "colours", colours);
	json_object_set_new(values, "key_columns", json_integer(N_PHASES));
}

void
plot_waterfall(struct plotting *p)
{
	size_t n;
	double whole;
	struct course t = {0};
	struct unit seconds = unit_of("x_s");
	size_t *shown = cells_with_times(p, &n, &whole);
	struct rows r;
	plot_rows_start(p, &r, shown, n, 1, 0);
	json_t *values = plot_rows_values(p, &r, 0);
	json_object_set_new(values, "others", json_array());
	json_object_set_new(values, "gap_high", json_real(r.high / (double)n));
	char *title = plot_axis_title("time of the cells, one after the other", &seconds, whole,
	    false, false, &t.ratio);
	t.px = r.room / whole;
	figure_set_text(values, "x_title", "%s", title);
	for (size_t i = 0; i < n; i++)
		add_cell(p, values, &r, i, shown[i], &t);
	set_key(p, values);
	plot_figure_view(&p->f, "waterfall", values);
	plot_rows_free(&r);
	free(title);
	free(shown);
}
