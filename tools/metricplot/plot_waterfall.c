/* plot_waterfall.c: the time of a notebook's cells, by phase. */
#include "base/die.h"
#include "text/unit.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_scale.h"
#include "plot_text.h"
#include "plot_waterfall.h"

#include <math.h>
#include <stdlib.h>

const char *const plot_phase_columns[N_PHASES] = {"dispatch_s", "queue_s", "kernel_s", "delivery_s", "render_s", "transport_s"};
static const char *const phase_names[N_PHASES] = {"dispatch", "queue", "kernel", "delivery", "render", "transport"};
static const unsigned phase_colours[N_PHASES] = {0x000000, 0xc8a02a, 0x0072b2, 0xd58a00, 0xcfe8dc, 0xbdbdbd};

/* The group's mean of a phase; where queue and delivery are known, transport is not used. */
static double
phase_of(const struct plotting *p, size_t group, size_t phase)
{
	double sum = 0, n = 0;
	for (size_t i = p->g.first[group]; i < p->g.first[group + 1]; i++) {
		size_t row = p->g.rows[i];
		double v = p->phases[phase]->number[row];
		if (phase == PHASE_QUEUE_DELIVERY && !isnan(p->phases[PHASE_QUEUE]->number[row]) && !isnan(p->phases[PHASE_DELIVERY]->number[row]))
			v = NAN;
		if (isnan(p->phases[PHASE_KERNEL]->number[row]))
			continue;
		n++;
		sum += isnan(v) ? 0 : v;
	}
	return n > 0 ? sum / n : NAN;
}

void
plot_waterfall(struct plotting *p)
{
	size_t n = 0, most_rows = 0, order[N_PHASES] = {PHASE_DISPATCH, PHASE_QUEUE, PHASE_KERNEL, PHASE_QUEUE_DELIVERY, PHASE_DELIVERY, PHASE_RENDER};
	size_t *shown = xmalloc((p->g.n + 1) * sizeof(*shown));
	double whole = 0, at = 0, ratio;
	struct unit seconds = unit_of("x_s");
	bool used[N_PHASES] = {false};
	for (size_t i = 0; i < p->g.n; i++) {
		if (isnan(phase_of(p, i, PHASE_KERNEL)))
			continue;
		shown[n++] = i;
		most_rows = p->g.first[i + 1] - p->g.first[i] > most_rows ? p->g.first[i + 1] - p->g.first[i] : most_rows;
		for (size_t k = 0; k < N_PHASES; k++) {
			whole += phase_of(p, i, k);
			used[k] |= phase_of(p, i, k) > 0;
		}
	}
	if (!n)
		plot_die_empty(p);
	if (n < p->g.n)
		plot_figure_note(p->f, "%zu cell%s without times %s not shown.", p->g.n - n, p->g.n - n == 1 ? "" : "s", p->g.n - n == 1 ? "is" : "are");
	if (most_rows > 1)
		plot_figure_note(p->f, "Each cell: the mean of its rows, at most %zu.", most_rows);
	if (n > p->most) {
		plot_figure_note(p->f, "Shown: the first %zu of %zu cells.", p->most, n);
		n = p->most;
	}
	struct key keys[N_PHASES];
	size_t n_keys = 0;
	for (size_t k = 0; k < N_PHASES; k++)
		if (used[order[k]])
			keys[n_keys++] = (struct key){{phase_colours[order[k]], 1, 1, DISC, 0}, MARK_BAR, (char *)phase_names[order[k]]};
	p->top = plot_figure_key(p->f, PX_EDGE, p->top, keys, n_keys);
	struct rows r;
	char **names = plot_names(p, shown, n);
	plot_rows_start(p, &r, names, n, 1, 46);
	struct scale x = {.title = plot_axis_title("time of the cells, one after the other", &seconds, whole, false, false, &ratio)};
	plot_scale_fit(&x, 0, whole * ratio, false, r.wide, false);
	struct pane *pane = plot_rows_pane(p, &r, 0, &x);
	for (size_t i = 0; i < n; i++) {
		double row = (double)i, start = at;
		for (size_t k = 0; k < N_PHASES; k++) {
			double v = phase_of(p, shown[i], order[k]);
			struct style s = {phase_colours[order[k]], 1, 1, DISC, 0};
			if (!(v > 0))
				continue;
			plot_pane_again(pane, MARK_BAR, s);
			plot_pane_bar(pane, at * ratio, (at + v) * ratio, row - 0.38, row + 0.38);
			char *value = plot_value_text(p, &seconds, v);
			plot_tip(p->f, pane, at * ratio, (at + v) * ratio, row - 0.38, row + 0.38, "cell %s, %s: %s", names[i], phase_names[order[k]], value);
			free(value);
			at += v;
		}
		char *value = plot_value_text(p, &seconds, at - start);
		plot_label(p->f, fmin(plot_pane_x(pane, at * ratio) + 4, p->f->width - PX_EDGE - plot_text_px(value, PX_SMALL)), plot_pane_y(pane, row), TO_LEFT, PX_SMALL, INK, value);
		free(value);
	}
	plot_figure_foot(p->f, plot_rows_bottom(&r));
	free(names);
	free(shown);
}
