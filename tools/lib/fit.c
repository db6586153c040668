/* fit.c: what a run will take, from those that were made.
 *
 * Either the mean of them, or a product of powers of numeric parameters: a
 * straight line among logarithms, by least squares.  A parameter comes in only
 * if runs that are left out, one after the other, are foretold clearly better
 * with it than without: with few runs a line through all of them proves nothing.
 */
#include "plan.h"
#include "cholesky.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 2000, SPARE_POINTS = 2, FEW_POINTS = 10 };
static const double clearly_better = 0.95, no_freedom = 1e-6;

struct data {
	size_t n;
	double *log_s;
	double *x[MOST_FACTORS];	/* logarithms less their mean; NULL: no candidate */
	double mean[MOST_FACTORS];
};
/* A line: its first coefficient is the constant. */
struct line {
	size_t factors[MOST_TERMS], n;
	double c[MOST_TERMS + 1];
	double *missed;		/* each point's logarithm less what the others foretell */
	double error;		/* root mean square of missed */
};

static double
value_at(const struct data *d, const struct line *l, size_t j, size_t point)
{
	return j == 0 ? 1 : d->x[l->factors[j - 1]][point];
}

/* Fits; the error is infinite where nothing can be said of a point left out. */
static void
fit_line(const struct data *d, struct line *l)
{
	double a[MOST_TERMS + 1][MOST_TERMS + 1] = {{0}}, b[MOST_TERMS + 1] = {0};
	size_t m = l->n + 1;
	struct square normal = {a[0], MOST_TERMS + 1, m};
	l->error = INFINITY;
	for (size_t p = 0; p < d->n; p++)
		for (size_t i = 0; i < m; i++) {
			double x = value_at(d, l, i, p);
			b[i] += x * d->log_s[p];
			for (size_t j = 0; j <= i; j++)
				a[i][j] += x * value_at(d, l, j, p);
		}
	if (d->n < m + SPARE_POINTS - (l->n == 0) || !cholesky(normal))
		return;
	memcpy(l->c, b, m * sizeof *b);
	solve_lower(normal, l->c);
	solve_upper(normal, l->c);
	double squares = 0;
	for (size_t p = 0; p < d->n; p++) {
		double v[MOST_TERMS + 1], foretold = 0, leverage = 0;
		for (size_t i = 0; i < m; i++) {
			v[i] = value_at(d, l, i, p);
			foretold += l->c[i] * v[i];
		}
		solve_lower(normal, v);
		for (size_t i = 0; i < m; i++)
			leverage += v[i] * v[i];
		if (1 - leverage < no_freedom)
			return;
		l->missed[p] = (d->log_s[p] - foretold) / (1 - leverage);
		squares += l->missed[p] * l->missed[p];
	}
	l->error = sqrt(squares / (double)d->n);
}

static bool
uses(const struct line *l, size_t factor)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->factors[i] == factor)
			return true;
	return false;
}

/* Takes in one factor after the other, the best first, while it helps. */
static struct line
best_line(const struct data *d)
{
	struct line best = {.missed = xmalloc(d->n * sizeof(double))}, found = best;
	double *room = xmalloc(d->n * sizeof(double));
	fit_line(d, &best);
	for (bool better = true; better && best.n < MOST_TERMS; ) {
		better = false;
		found = best;
		for (size_t f = 0; f < MOST_FACTORS; f++) {
			if (!d->x[f] || uses(&best, f))
				continue;
			struct line try = best;
			try.missed = room;
			try.factors[try.n++] = f;
			fit_line(d, &try);
			if (try.error >= clearly_better * best.error || try.error >= found.error)
				continue;
			found = try;
			better = true;
		}
		if (better) {
			found.missed = best.missed;
			best = found;
			fit_line(d, &best);
		}
	}
	free(room);
	return best;
}

/* ---- what there is to fit ---- */

static double
seconds_of(const struct past *p, bool early)
{
	return early ? p->early_s / (double)p->n_early : p->whole_s / (double)p->n_whole;
}

/* The logarithms of one parameter, where every notebook has one and they differ. */
static void
add_factor(struct data *d, const struct past **used, size_t factor)
{
	double *x = xmalloc(d->n * sizeof *x), sum = 0;
	bool differ = false;
	for (size_t i = 0; i < d->n; i++) {
		x[i] = log(used[i]->factors[factor]);
		sum += x[i];
		differ |= x[i] > x[0] || x[i] < x[0];
	}
	if (!differ || !isfinite(sum)) {
		free(x);
		return;
	}
	d->mean[factor] = sum / (double)d->n;
	for (size_t i = 0; i < d->n; i++)
		x[i] -= d->mean[factor];
	d->x[factor] = x;
}

/* Four of five lie between the two; all, where there are few. */
static void
middle_range(double *v, size_t n, double *low, double *high)
{
	qsort(v, n, sizeof *v, compare_reals);
	size_t cut = n < FEW_POINTS ? 0 : n / FEW_POINTS;
	*low = v[cut];
	*high = v[n - 1 - cut];
}

static void
use_line(struct forecast *f, const struct data *d, struct line *l)
{
	f->n_terms = l->n;
	f->log_constant = l->c[0];
	for (size_t i = 0; i < l->n; i++) {
		f->terms[i] = (struct term){l->factors[i], l->c[i + 1]};
		f->log_constant -= l->c[i + 1] * d->mean[l->factors[i]];
	}
	f->error_pct = 100 * (exp(l->error) - 1);
	for (size_t i = 0; i < d->n; i++)
		l->missed[i] = exp(l->missed[i]);
	middle_range(l->missed, d->n, &f->ratio_low, &f->ratio_high);
	double sum = 0;
	for (size_t i = 0; i < d->n; i++)
		sum += l->missed[i];
	/* A line among logarithms goes through medians; a sum wants means. */
	f->ratio_mean = fmin(fmax(sum / (double)d->n, f->ratio_low), f->ratio_high);
}

static void
use_mean(struct forecast *f, const struct past **used, size_t n)
{
	double *s = xmalloc(n * sizeof *s), sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += s[i] = seconds_of(used[i], f->early);
	f->mean_s = sum / (double)n;
	f->low_s = f->high_s = (double)NAN;
	if (n > 1) {
		middle_range(s, n, &f->low_s, &f->high_s);
		f->low_s = fmin(f->low_s, f->mean_s);
		f->high_s = fmax(f->high_s, f->mean_s);
	}
	free(s);
}

static void
note_ranges(struct forecast *f, const struct past **used, size_t n)
{
	for (size_t k = 0; k < f->earlier->n_params; k++) {
		f->least[k] = INFINITY;
		f->most[k] = -INFINITY;
		for (size_t i = 0; i < n; i++) {
			f->least[k] = fmin(f->least[k], used[i]->factors[k]);
			f->most[k] = fmax(f->most[k], used[i]->factors[k]);
		}
	}
}

void
make_forecast(struct forecast *f, const struct earlier *e)
{
	*f = (struct forecast){.earlier = e, .early = e->n > 0, .error_pct = (double)NAN};
	for (size_t i = 0; i < e->n; i++)
		f->early &= e->v[i].n_whole == 0;
	const struct past **used = xmalloc((e->n + 1) * sizeof(struct past *));
	for (size_t i = 0; i < e->n; i++)
		if (f->early ? e->v[i].n_early : e->v[i].n_whole)
			used[f->n++] = &e->v[i];
	if (f->n) {
		use_mean(f, used, f->n);
		note_ranges(f, used, f->n);
		/* Of very many, evenly spread ones say enough. */
		struct data d = {.n = f->n < MOST_POINTS ? f->n : MOST_POINTS};
		d.log_s = xmalloc(d.n * sizeof *d.log_s);
		for (size_t i = 0; i < d.n; i++) {
			used[i] = used[i * f->n / d.n];
			d.log_s[i] = log(seconds_of(used[i], f->early));
		}
		for (size_t k = 0; k < e->n_params; k++)
			add_factor(&d, used, k);
		struct line l = best_line(&d);
		if (l.n)
			use_line(f, &d, &l);
		free(l.missed);
		free(d.log_s);
		for (size_t k = 0; k < MOST_FACTORS; k++)
			free(d.x[k]);
	}
	free(used);
}

/* ---- foretelling ---- */

struct guess
foretell(const struct forecast *f, struct scan *params)
{
	struct guess g = {f->mean_s, f->low_s, f->high_s, false};
	double log_s = f->log_constant;
	for (size_t k = 0; k < f->earlier->n_params; k++) {
		double x = span_number(scan_get(params, f->earlier->params[k]));
		g.outside |= x < f->least[k] || x > f->most[k];
		for (size_t i = 0; i < f->n_terms; i++)
			if (f->terms[i].factor == k)
				log_s += f->terms[i].power * log(x);
	}
	if (f->n_terms && isfinite(log_s)) {
		double s = exp(log_s);
		g.s = s * f->ratio_mean;
		g.low_s = s * f->ratio_low;
		g.high_s = s * f->ratio_high;
	}
	return g;
}
