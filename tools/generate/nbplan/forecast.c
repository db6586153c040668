/* forecast.c: how long a run will take, predicted from past runs: by their mean, or by a scaling
 * law in those numeric parameters whose exponents are known well enough.
 */
#include "forecast.h"
#include "base/die.h"
#include "base/num.h"

enum { MAX_POINTS = 300, FEW_POINTS = 10 };
static const double clearly_better = 0.95;	/* the law's spread, as a share of the mean's */
static const double min_power = 0.02, max_interval = 2;
static const double central_sd = 1.28;	/* on both sides of the mean: four of five values */

/* ---- the law ---- */

struct law_factor {
	double spread;	/* of a law with this factor alone */
	size_t factor;
	double *x;	/* its values */
};

/* NULL unless all values are positive and some differ. */
static double *
factor_values(const struct past_notebook **used, size_t n, size_t factor)
{
	double *x = xmalloc(n * sizeof *x);
	bool positive = true, varies = false;
	for (size_t i = 0; i < n; i++) {
		x[i] = used[i]->factors[factor];
		positive &= x[i] > 0;
		varies |= x[i] > x[0] || x[i] < x[0];
	}
	if (positive && varies)
		return x;
	free(x);
	return NULL;
}

/* The least significant of the exponents that are not known well enough; n if all are. */
static size_t
weakest_term(const struct scaling *law, size_t n)
{
	size_t weakest = n;
	double least = INFINITY;
	for (size_t i = 0; i < n; i++) {
		double k = law->k[i], low = law->low[i], high = law->high[i];
		double significance = fabs(k) < min_power ? 0 : k / (k > 0 ? k - low : k - high);
		bool known = significance > 1 && high - low <= max_interval;
		if (!known && significance < least) {
			least = significance;
			weakest = i;
		}
	}
	return weakest;
}

/* Drops factors until the law has only exponents that are known.  Returns how many are left. */
static size_t
fit_law(struct scaling *law, struct law_factor *c, size_t n, const double *s, size_t points)
{
	double *x[MAX_TERMS];
	while (n > 0) {
		for (size_t i = 0; i < n; i++)
			x[i] = c[i].x;
		bool fits = scaling_fit(law, x, n, s, points);
		size_t weakest = fits ? weakest_term(law, n) : n - 1;
		if (weakest == n)
			break;
		n--;
		memmove(c + weakest, c + weakest + 1, (n - weakest) * sizeof *c);
	}
	return n;
}

static void
use_law(struct forecast *f, const struct law_factor *c, size_t n, const double *s, size_t points)
{
	double sum = 0, predicted = 0;
	for (size_t i = 0; i < points; i++) {
		double row[MAX_TERMS];
		for (size_t k = 0; k < n; k++)
			row[k] = c[k].x[i];
		sum += s[i];
		predicted += scaling_at(&f->law, row, n);
	}
	f->ratio = sum / predicted;
	f->n_terms = n;
	for (size_t k = 0; k < n; k++)
		f->terms[k] = c[k].factor;
}

static void
find_law(struct forecast *f, const struct past_notebook **used)
{
	/* If there are very many notebooks, evenly spread ones are enough. */
	size_t points = f->n < MAX_POINTS ? f->n : MAX_POINTS, n = 0;
	double *s = xmalloc(points * sizeof *s), squares = 0;
	struct law_factor c[MAX_FACTORS];
	for (size_t i = 0; i < points; i++) {
		used[i] = used[i * f->n / points];
		s[i] = past_runs_mean_s(used[i]);
		squares += (s[i] / f->mean_s - 1) * (s[i] / f->mean_s - 1);
	}
	for (size_t k = 0; k < f->past->n_factors; k++) {
		double *x = factor_values(used, points, k);
		bool fits = x && scaling_fit(&f->law, &x, 1, s, points);
		if (x)
			c[n++] = (struct law_factor){fits ? f->law.spread : INFINITY, k, x};
	}
	qsort(c, n, sizeof *c, num_compare);	/* by spread */
	n = fit_law(&f->law, c, n < MAX_TERMS ? n : MAX_TERMS, s, points);
	if (n && f->law.spread < clearly_better * sqrt(squares / (double)(points - 1)))
		use_law(f, c, n, s, points);
	free(s);
}

/* ---- all together ---- */

static void
find_mean(struct forecast *f, const struct past_notebook **used)
{
	double *s = xmalloc(f->n * sizeof *s), sum = 0;
	size_t cut = f->n < FEW_POINTS ? 0 : f->n / FEW_POINTS;
	for (size_t i = 0; i < f->n; i++)
		sum += s[i] = past_runs_mean_s(used[i]);
	qsort(s, f->n, sizeof *s, num_compare);
	f->mean_s = sum / (double)f->n;
	f->low_s = f->n > 1 ? fmin(s[cut], f->mean_s) : (double)NAN;
	f->high_s = f->n > 1 ? fmax(s[f->n - 1 - cut], f->mean_s) : (double)NAN;
	free(s);
}

static bool
has_time(const struct past_notebook *p)
{
	return p->n_complete || p->n_early;
}

void
forecast_make(struct forecast *f, const struct past_runs *past)
{
	const struct past_notebook **used = xmalloc((past->n + 1) * sizeof(struct past_notebook *));
	*f = (struct forecast){.past = past, .early = past->n > 0, .stale = past->n > 0};
	for (size_t k = 0; k < MAX_FACTORS; k++)
		f->low[k] = INFINITY, f->high[k] = -INFINITY;
	for (size_t i = 0; i < past->n; i++)
		f->stale &= past->list[i].stale || !has_time(&past->list[i]);
	for (size_t i = 0; i < past->n; i++)
		f->early &= past->list[i].n_complete == 0 || past->list[i].stale != f->stale;
	for (size_t i = 0; i < past->n; i++) {
		const struct past_notebook *p = &past->list[i];
		if (p->stale != f->stale || (f->early ? !p->n_early : !p->n_complete))
			continue;
		used[f->n++] = p;
		for (size_t k = 0; k < past->n_factors; k++) {
			f->low[k] = fmin(f->low[k], p->factors[k]);
			f->high[k] = fmax(f->high[k], p->factors[k]);
		}
	}
	if (f->n)
		find_mean(f, used);
	if (f->n > 1)
		find_law(f, used);
	free(used);
}

struct prediction
forecast_predict(const struct forecast *f, struct scan *params)
{
	struct prediction p = {f->mean_s, f->low_s, f->high_s, false};
	double x[MAX_FACTORS], terms[MAX_TERMS];
	for (size_t k = 0; k < f->past->n_factors; k++) {
		x[k] = span_number(scan_get(params, f->past->factors[k]));
		p.extrapolated |= x[k] < f->low[k] || x[k] > f->high[k];
	}
	for (size_t i = 0; i < f->n_terms; i++)
		terms[i] = x[f->terms[i]];
	double s = f->n_terms ? f->ratio * scaling_at(&f->law, terms, f->n_terms) : (double)NAN;
	if (isfinite(s)) {
		p.s = s;
		p.low_s = s * fmax(0, 1 - central_sd * f->law.spread);
		p.high_s = s * (1 + central_sd * f->law.spread);
	}
	return p;
}
