/* plotcells.c: figures of a notebook's cells: waterfall, sweep, A against B, heat map. */
#include "plotkind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_SPREAD = 20, HEAT_STEPS = 32, HEAT_ROW = 16, HEAT_WIDEST = 90, SWEEP_WIDE = 138, SWEEP_HIGH = 92, SWEEP_LEFT = 44, SWEEP_APART = 60, TEXT_CELL = 30, AB_WORDS = 52, SLOPE_PX = 52, FEW_VALUES = 8 };
const char *const phase_columns[N_PHASES] = {"dispatch_s", "queue_s", "kernel_s", "delivery_s", "render_s", "queue_delivery_s"};
static const char *const phase_names[N_PHASES] = {"dispatch", "queue", "kernel", "delivery", "render", "queue and delivery"};
static const unsigned phase_colours[N_PHASES] = {0x000000, 0xc8a02a, 0x0072b2, 0xd58a00, 0xcfe8dc, 0xbdbdbd};

/* ---- waterfall -------------------------------------------------------------------------------- */

/* The group's mean of a phase; where queue and delivery are known apart, their sum is not wanted. */
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
draw_waterfall(struct plotting *p)
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
		die_nothing(p);
	if (n < p->g.n)
		figure_note(p->f, "%zu cell%s without times %s not shown.", p->g.n - n, p->g.n - n == 1 ? "" : "s", p->g.n - n == 1 ? "is" : "are");
	if (most_rows > 1)
		figure_note(p->f, "Each cell: the mean of its rows, at most %zu.", most_rows);
	if (n > p->most) {
		figure_note(p->f, "Shown: the first %zu of %zu cells.", p->most, n);
		n = p->most;
	}
	struct key keys[N_PHASES];
	size_t n_keys = 0;
	for (size_t k = 0; k < N_PHASES; k++)
		if (used[order[k]])
			keys[n_keys++] = (struct key){{phase_colours[order[k]], 1, 1, DISC, 0}, MARK_BAR, (char *)phase_names[order[k]]};
	p->top = figure_key(p->f, PX_EDGE, p->top, keys, n_keys);
	struct rows r;
	char **names = names_of(p, shown, n);
	rows_start(p, &r, names, n, 1, 46);
	struct scale x = {.title = axis_title("time of the cells, one after the other", &seconds, whole, false, false, &ratio)};
	scale_fit(&x, 0, whole * ratio, false, r.wide, false);
	struct pane *pane = rows_pane(p, &r, 0, &x);
	for (size_t i = 0; i < n; i++) {
		double row = (double)i, start = at;
		for (size_t k = 0; k < N_PHASES; k++) {
			double v = phase_of(p, shown[i], order[k]);
			struct style s = {phase_colours[order[k]], 1, 1, DISC, 0};
			if (!(v > 0))
				continue;
			pane_again(pane, MARK_BAR, s);
			pane_bar(pane, at * ratio, (at + v) * ratio, row - 0.38, row + 0.38);
			char *value = value_text(p, &seconds, v);
			put_tip(p->f, pane, at * ratio, (at + v) * ratio, row - 0.38, row + 0.38, "cell %s, %s: %s", names[i], phase_names[order[k]], value);
			free(value);
			at += v;
		}
		char *value = value_text(p, &seconds, at - start);
		put_words(p->f, fmin(pane_x(pane, at * ratio) + 4, p->f->width - PX_EDGE - text_px(value, PX_SMALL)), pane_y(pane, row), TO_LEFT, PX_SMALL, INK, value);
		free(value);
	}
	figure_foot(p->f, rows_bottom(&r));
	free(names);
	free(shown);
}

/* ---- sweep --------------------------------------------------------------------------------------- */

struct fitted {
	size_t n;
	double slope, offset, least, most;	/* of x; among logarithms */
	bool line;
};

/* Least squares among logarithms of what is positive. */
static struct fitted
fit_group(const struct plotting *p, size_t group, const struct column *x, const struct column *y)
{
	struct fitted f = {.least = INFINITY, .most = -INFINITY};
	double sx = 0, sy = 0, sxx = 0, sxy = 0;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = p->g.first[group]; i < p->g.first[group + 1]; i++) {
			double a = x->number[p->g.rows[i]], b = y->number[p->g.rows[i]];
			if (!(a > 0) || !(b > 0))
				continue;
			a = log(a), b = log(b);
			if (!pass) {
				f.n++;
				sx += a, sy += b;
				f.least = fmin(f.least, a), f.most = fmax(f.most, a);
			} else {
				sxx += (a - sx / (double)f.n) * (a - sx / (double)f.n);
				sxy += (a - sx / (double)f.n) * (b - sy / (double)f.n);
			}
		}
	f.line = f.n > 2 && sxx > 0 && f.most > f.least;
	f.slope = f.line ? sxy / sxx : NAN;
	f.offset = f.n ? sy / (double)f.n - (f.line ? f.slope * sx / (double)f.n : 0) : NAN;
	return f;
}

/* The parameter's own values as ticks, where they are few and fit. */
static void
value_ticks(const struct plotting *p, const struct column *c, struct pane *pane)
{
	double v[FEW_VALUES];
	size_t n = 0;
	for (size_t i = 0; i < p->g.first[p->g.n]; i++) {
		double x = c->number[p->g.rows[i]];
		size_t k = 0;
		while (k < n && v[k] != x)
			k++;
		if (k < n || !(x > 0))
			continue;
		if (n == FEW_VALUES)
			return;
		v[n++] = x;
	}
	qsort(v, n, sizeof(*v), compare_reals);
	for (size_t k = 0; k < pane->x.n; k++)
		free(pane->x.ticks[k].name);
	pane->x.n = 0;
	double used = -INFINITY;
	for (size_t k = 0; k < n; k++) {
		char *text = tick_text(v[k]);
		double half = text_px(text, PX_TEXT) / 2, at = pane_x(pane, v[k]);
		bool fits = at - half > used + 4;
		scale_tick(&pane->x, v[k], fits ? text : "");
		used = fits ? at + half : used;
		free(text);
	}
}

static void
sweep_panel(struct plotting *p, struct pane *pane, size_t group, const struct column *x, double ratio)
{
	struct style s = {ACCENT, 0.7, 4, DISC, 0}, fit = {SECOND, 1, 1.3, DISC, 1};
	const struct measure *m = &p->of[0];
	pane_layer(pane, MARK_POINT, s);
	for (size_t i = p->g.first[group]; i < p->g.first[group + 1]; i++) {
		double a = x->number[p->g.rows[i]], b = m->column->number[p->g.rows[i]];
		if (!(a > 0) || !(b > 0))
			continue;
		put_xy(pane, a, b * ratio);
		char *value = p->f->wants_tips ? value_text(p, &m->unit, b) : NULL;
		put_tip(p->f, pane, a, a, b * ratio, b * ratio, "%s, %s %g: %s", p->names[group], x->name, a, value);
		free(value);
	}
	struct fitted f = fit_group(p, group, x, m->column);
	if (!f.line)
		return;
	pane_layer(pane, MARK_LINE, fit);
	double ends[2] = {f.least, f.most};
	for (int k = 0; k < 2; k++)
		put_xy(pane, exp(ends[k]), exp(f.offset + f.slope * ends[k]) * ratio);
	char *text = xasprintf("slope %.2f", fabs(f.slope) < 0.005 ? 0 : f.slope);
	put_words(p->f, pane->right, pane->top - 8, TO_RIGHT, PX_SMALL, 0xa04000, text);
	free(text);
}

static bool
reach_of(const struct plotting *p, const struct column *c, double *least, double *most)
{
	*least = INFINITY, *most = -INFINITY;
	for (size_t i = 0; i < p->g.first[p->g.n]; i++) {
		double v = c->number[p->g.rows[i]];
		if (v > 0) {
			*least = fmin(*least, v);
			*most = fmax(*most, v);
		}
	}
	return *least <= *most;
}

void
draw_sweep(struct plotting *p)
{
	size_t n, panels, most = p->most;
	double least, highest, whole = p->f->width - 2 * PX_EDGE, ratio = 1;
	size_t across = (size_t)(whole / SWEEP_WIDE);
	struct measure median = p->of[0];
	median.stat = STAT_MEDIAN;
	p->most = most / (p->n_against ? p->n_against : 1);
	p->most = p->most ? p->most : 1;
	size_t *shown = choose_groups(p, &median, p->by_value, &n);
	p->most = most;
	if (!reach_of(p, p->of[0].column, &least, &highest))
		die_nothing(p);
	panels = n * p->n_against;
	/* A parameter's panels stand below each other where all fit side by side. */
	across = across < 1 ? 1 : across;
	if (p->n_against > 1 && p->n_against <= across)
		across = across / p->n_against * p->n_against;
	across = across > panels ? panels : across;
	double wide = (whole - SWEEP_LEFT * (double)across) / (double)across, top = p->top + 16;
	char *name = unit_title(p->of[0].name), *ytitle = axis_title(name, &p->of[0].unit, sqrt(least * highest), p->log != LOG_NO, p->binary, &ratio);
	put_words(p->f, PX_EDGE, p->top + 4, TO_LEFT, PX_TEXT, INK, ytitle);
	top += 14;
	for (size_t i = 0; i < panels; i++) {
		const struct column *x = p->against[i % p->n_against];
		size_t group = shown[i / p->n_against];
		double left = PX_EDGE + SWEEP_LEFT - 6 + (double)(i % across) * (wide + SWEEP_LEFT), y = top + (double)(i / across) * (SWEEP_HIGH + SWEEP_APART), from, to;
		struct pane *pane = pane_add(p->f, left, left + wide, y, y + SWEEP_HIGH);
		char *fits = text_fit(p->names[group], PX_TEXT, wide - SLOPE_PX);
		put_words(p->f, left, y - 8, TO_LEFT, PX_TEXT, INK, fits);
		struct unit unit = unit_of(x->name);
		double one;
		char *title = unit_title(x->name);
		pane->x.title = axis_title(title, &unit, 1, false, p->binary, &one);
		if (one != 1) {
			free(pane->x.title);
			pane->x.title = xstrdup(title);
		}
		if (!reach_of(p, x, &from, &to))
			from = to = 1;
		scale_fit(&pane->x, from, to, p->log != LOG_NO, wide, false);
		scale_fit(&pane->y, least * ratio, highest * ratio, p->log != LOG_NO, SWEEP_HIGH, true);
		value_ticks(p, x, pane);
		pane->x.grid = pane->y.grid = true;
		sweep_panel(p, pane, group, x, ratio);
		free(fits);
		free(title);
	}
	figure_note(p->f, p->log == LOG_NO ? "Line: least squares among logarithms." : "Both axes are logarithmic; line: least squares, its slope is the exponent.");
	figure_foot(p->f, top + (double)((panels + across - 1) / across) * (SWEEP_HIGH + SWEEP_APART) - 6);
	free(name);
	free(ytitle);
	free(shown);
}

/* ---- A against B ------------------------------------------------------------------------------------ */

/* The group's values of one label, ascending. */
static double *
label_values(const struct plotting *p, size_t group, size_t label, size_t *n)
{
	double *v = xmalloc((p->g.first[group + 1] - p->g.first[group] + 1) * sizeof(*v));
	*n = 0;
	for (size_t i = p->g.first[group]; i < p->g.first[group + 1]; i++) {
		size_t row = p->g.rows[i];
		if (p->against[0]->code[row] == label && !isnan(p->of[0].column->number[row]))
			v[(*n)++] = p->of[0].column->number[row];
	}
	sort_numbers(v, *n);
	return v;
}

static void
ab_row(struct plotting *p, struct pane *pane, const uint32_t *label, size_t labels, size_t group, const char *name, double row, double ratio)
{
	size_t n;
	double median[2] = {NAN, NAN}, share = 0.7 / (double)labels;
	for (size_t k = 0; k < labels; k++) {
		double *v = label_values(p, group, label[k], &n), y = row - 0.35 + share * ((double)k + 0.5);
		struct style s = look(k), tick = {INK, 1, 1.5, DISC, 0};
		s.size = k == 1 ? 5.5 : 4.5;
		s.alpha = 0.75;
		pane_again(pane, MARK_POINT, s);
		for (size_t i = 0; i < n; i++) {
			put_xy(pane, v[i] * ratio, y);
			char *value = p->f->wants_tips ? value_text(p, &p->of[0].unit, v[i]) : NULL;
			put_tip(p->f, pane, v[i] * ratio, v[i] * ratio, y, y, "%s, %s: %s", name, p->against[0]->words[label[k]], value);
			free(value);
		}
		double middle = n ? quantile_sorted(v, n, 0.5, Q_LINEAR) : NAN;
		if (n) {
			pane_again(pane, MARK_LINE, tick);
			put_xy(pane, middle * ratio, y - share * 0.55);
			put_xy(pane, middle * ratio, y + share * 0.55);
		}
		if (k < 2)
			median[k] = middle;
		free(v);
	}
	if (labels != 2)
		return;
	double change = 100 * (median[1] / median[0] - 1);
	char *text = isfinite(change) ? xasprintf("%+.1f %%", fabs(change) < 0.05 ? 0 : change) : xstrdup("unknown");
	put_words(p->f, p->f->width - PX_EDGE, pane_y(pane, row), TO_RIGHT, PX_SMALL, INK, text);
	free(text);
}

/* Those of the rows that are shown, in the order in which the table has them;
 * more than fit count on. */
static size_t
labels_of(const struct plotting *p, uint32_t *label)
{
	size_t n = 0;
	for (uint32_t k = 0; k < p->against[0]->n_words; k++)
		for (size_t i = 0; i < p->g.first[p->g.n]; i++)
			if (p->against[0]->code[p->g.rows[i]] == k) {
				if (n < LOOKS_N)
					label[n] = k;
				n++;
				break;
			}
	return n;
}

void
draw_ab(struct plotting *p)
{
	uint32_t label[LOOKS_N];
	size_t n, labels = labels_of(p, label);
	double least = INFINITY, most = -INFINITY, ratio;
	struct measure median = p->of[0];
	median.stat = STAT_MEDIAN;
	if (labels < 2 || labels > LOOKS_N)
		die(ST_UNKNOWN, "nothing to compare: '%s' has %zu value%s, and 2 to %d are wanted", p->against[0]->name, labels, labels == 1 ? "" : "s", LOOKS_N);
	size_t *shown = choose_groups(p, &median, p->by_value, &n);
	struct key keys[LOOKS_N];
	for (size_t k = 0; k < labels; k++) {
		keys[k] = (struct key){look(k), MARK_POINT, p->against[0]->words[label[k]]};
		keys[k].style.size = 5;
	}
	p->top = figure_key(p->f, PX_EDGE, p->top, keys, labels);
	for (size_t i = 0; i < n; i++) {
		size_t m;
		double *v = sorted_values(p, shown[i], p->of[0].column, &m);
		if (m) {
			least = fmin(least, v[0]);
			most = fmax(most, v[m - 1]);
		}
		free(v);
	}
	if (!(least <= most))
		die_nothing(p);
	struct rows r;
	char **names = names_of(p, shown, n), *title = unit_title(p->of[0].name);
	rows_start(p, &r, names, n, 1, labels == 2 ? AB_WORDS : 0);
	r.row_px = fmax(r.row_px, 9.0 * (double)labels);
	bool log = wants_log(p, least, most, LOG_SPREAD);
	struct scale x = {.title = axis_title(title, &p->of[0].unit, log ? sqrt(least * most) : most, log, p->binary, &ratio)};
	scale_fit(&x, least * ratio, most * ratio, log, r.wide, false);
	struct pane *pane = rows_pane(p, &r, 0, &x);
	for (size_t i = 0; i < n; i++)
		ab_row(p, pane, label, labels, shown[i], names[i], (double)i, ratio);
	figure_note(p->f, labels == 2 ? "Points: each run; tick: median; at the right: the second median against the first." : "Points: each run; tick: median.");
	figure_foot(p->f, rows_bottom(&r));
	free(title);
	free(names);
	free(shown);
}

/* ---- heat map ----------------------------------------------------------------------------------------- */

static int
by_word(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The parameter's values: numbers by size, words by bytes.  One code a row. */
static char **
columns_of(const struct plotting *p, uint32_t *code, size_t *n)
{
	const struct column *c = p->against[0];
	char **names;
	double *v = xmalloc((p->t->n_rows + 1) * sizeof(*v));
	size_t m = 0;
	*n = 0;
	for (size_t row = 0; row < p->t->n_rows; row++)
		code[row] = NO_WORD;
	if (c->is_word) {
		uint32_t *place = xmalloc((c->n_words + 1) * sizeof(*place));
		names = xmalloc((c->n_words + 1) * sizeof(*names));
		for (size_t i = 0; i < c->n_words; i++)
			names[(*n)++] = xstrdup(c->words[i]);
		qsort(names, *n, sizeof(*names), by_word);
		for (size_t i = 0; i < c->n_words; i++)
			place[i] = (uint32_t)((char **)bsearch(&c->words[i], names, *n, sizeof(*names), by_word) - names);
		for (size_t i = 0; i < p->g.first[p->g.n]; i++)
			if (c->code[p->g.rows[i]] != NO_WORD)
				code[p->g.rows[i]] = place[c->code[p->g.rows[i]]];
		free(place);
		free(v);
		return names;
	}
	for (size_t i = 0; i < p->g.first[p->g.n]; i++)
		if (!isnan(c->number[p->g.rows[i]]))
			v[m++] = c->number[p->g.rows[i]];
	qsort(v, m, sizeof(*v), compare_reals);
	for (size_t i = 0; i < m; i++)
		if (!*n || v[*n - 1] < v[i])
			v[(*n)++] = v[i];
	names = xmalloc((*n + 1) * sizeof(*names));
	for (size_t i = 0; i < *n; i++)
		names[i] = tick_text(v[i]);
	for (size_t i = 0; i < p->g.first[p->g.n]; i++) {
		size_t row = p->g.rows[i];
		const double *at = isnan(c->number[row]) ? NULL : bsearch(&c->number[row], v, *n, sizeof(*v), compare_reals);
		code[row] = at ? (uint32_t)(at - v) : NO_WORD;
	}
	free(v);
	return names;
}

/* Medians, rows by columns; NaN: none. */
static double *
medians_of(const struct plotting *p, const size_t *shown, size_t rows, const uint32_t *code, size_t columns)
{
	double *all = xmalloc((rows * columns + 1) * sizeof(*all));
	for (size_t i = 0; i < rows; i++) {
		size_t first = p->g.first[shown[i]], last = p->g.first[shown[i] + 1];
		double *v = xmalloc((last - first + 1) * sizeof(*v));
		for (size_t c = 0; c < columns; c++) {
			size_t n = 0;
			for (size_t k = first; k < last; k++)
				if (code[p->g.rows[k]] == c && !isnan(p->of[0].column->number[p->g.rows[k]]))
					v[n++] = p->of[0].column->number[p->g.rows[k]];
			all[i * columns + c] = n ? median_of(v, n) : NAN;
		}
		free(v);
	}
	return all;
}

static double
shade(double v, double least, double most, bool log_scale)
{
	if (!(most > least))
		return 0.5;
	return log_scale ? (log(v) - log(least)) / (log(most) - log(least)) : (v - least) / (most - least);
}

static unsigned
heat(double share)
{
	return ramp(floor(share * (HEAT_STEPS - 1) + 0.5) / (HEAT_STEPS - 1));
}

/* What the colours mean: a strip with its axis; returns y below. */
static double
heat_key(struct plotting *p, double least, double most, bool log_scale, double ratio, char *title)
{
	double left = PX_EDGE + text_px(title, PX_TEXT) + 10, right = fmin(p->f->width - PX_EDGE - 14, left + 220);
	struct pane *pane = pane_add(p->f, left, right, p->top + 2, p->top + 12);
	put_words(p->f, PX_EDGE, p->top + 7, TO_LEFT, PX_TEXT, INK, title);
	scale_fit(&pane->x, least * ratio, most * ratio, log_scale, right - left, false);
	/* The strip ends where its colours do. */
	if (most > least) {
		pane->x.lo = least * ratio;
		pane->x.hi = most * ratio;
	}
	pane->x.bare = true;
	pane->y = (struct scale){.lo = 0, .hi = 1, .bare = true};
	for (size_t i = 0; i < HEAT_STEPS; i++) {
		double a = (double)i / HEAT_STEPS, b = (double)(i + 1) / HEAT_STEPS, lo = pane->x.lo, hi = pane->x.hi;
		struct style s = {heat((double)i / (HEAT_STEPS - 1)), 1, 1, DISC, 0};
		pane_layer(pane, MARK_BAR, s);
		pane_bar(pane, pane->x.log ? lo * pow(hi / lo, a) : lo + (hi - lo) * a, pane->x.log ? lo * pow(hi / lo, b) : lo + (hi - lo) * b, 0, 1);
	}
	return p->top + 34;
}

static void
heat_cells(struct plotting *p, struct pane *pane, const double *v, size_t rows, size_t columns, char *const *names, char *const *values, const double *reach, bool log_scale, double ratio)
{
	double wide = (pane->right - pane->left) / (double)columns;
	for (size_t i = 0; i < rows * columns; i++) {
		double x = (double)(i % columns), y = (double)(i / columns);
		if (isnan(v[i])) {
			if (wide > 8)
				put_words(p->f, pane_x(pane, x), pane_y(pane, y), TO_MIDDLE, PX_SMALL, FAINT, "–");
			continue;
		}
		struct style s = {heat(shade(v[i], reach[0], reach[1], log_scale)), 1, 1, DISC, 0};
		pane_again(pane, MARK_BAR, s);
		pane_bar(pane, x - 0.5, x + 0.5, y - 0.5, y + 0.5);
		char *text = number_text(v[i] * ratio), *value = value_text(p, &p->of[0].unit, v[i]);
		if (wide > TEXT_CELL && text_px(text, PX_SMALL) < wide - 2)
			put_words(p->f, pane_x(pane, x), pane_y(pane, y), TO_MIDDLE, PX_SMALL, is_dark(s.rgb) ? PAPER : INK, text);
		put_tip(p->f, pane, x - 0.5, x + 0.5, y - 0.5, y + 0.5, "%s, %s %s: %s", names[i / columns], p->against[0]->name, values[i % columns], value);
		free(text);
		free(value);
	}
}

void
draw_heatmap(struct plotting *p)
{
	size_t rows, columns;
	struct measure median = p->of[0];
	median.stat = STAT_MEDIAN;
	size_t *shown = choose_groups(p, &median, p->by_value, &rows);
	uint32_t *code = xmalloc((p->t->n_rows + 1) * sizeof(*code));
	char **values = columns_of(p, code, &columns), **names = names_of(p, shown, rows);
	double *v = medians_of(p, shown, rows, code, columns), reach[2] = {INFINITY, -INFINITY}, ratio, widest = 0;
	for (size_t i = 0; i < rows * columns; i++)
		if (!isnan(v[i])) {
			reach[0] = fmin(reach[0], v[i]);
			reach[1] = fmax(reach[1], v[i]);
		}
	if (!(reach[0] <= reach[1]))
		die_nothing(p);
	bool log_scale = wants_log(p, reach[0], reach[1], LOG_SPREAD);
	char *name = unit_title(p->of[0].name), *title = axis_title(name, &p->of[0].unit, log_scale ? sqrt(reach[0] * reach[1]) : reach[1], log_scale, p->binary, &ratio);
	p->top = heat_key(p, reach[0], reach[1], log_scale, ratio, title);
	struct rows r;
	rows_start(p, &r, names, rows, 1, 0);
	r.row_px = fmax(r.row_px, HEAT_ROW);
	r.wide = fmin(r.wide, HEAT_WIDEST * (double)columns);
	struct scale x = {.title = unit_title(p->against[0]->name), .bare = true};
	for (size_t c = 0; c < columns; c++)
		widest = fmax(widest, text_px(values[c], PX_TEXT));
	double wide = r.wide / (double)columns, room = fmin(widest, fmax(wide * 2, 80));
	size_t every = (size_t)ceil((room + 6) / wide);
	x.lo = -0.5, x.hi = (double)columns - 0.5;
	for (size_t c = 0; c < columns; c += every) {
		char *fits = text_fit(values[c], PX_TEXT, room);
		scale_tick(&x, (double)c, fits);
		free(fits);
	}
	struct pane *pane = rows_pane(p, &r, 0, &x);
	pane->x.grid = false;
	pane->y.bare = true;
	heat_cells(p, pane, v, rows, columns, names, values, reach, log_scale, ratio);
	figure_note(p->f, "Colours: medians; –: no value.");
	figure_foot(p->f, rows_bottom(&r));
	for (size_t c = 0; c < columns; c++)
		free(values[c]);
	free(values);
	free(names);
	free(code);
	free(name);
	free(title);
	free(shown);
	free(v);
}
