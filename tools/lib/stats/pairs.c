/* pairs.c: what changed in an interleaved experiment, by its pairs of runs. */
#include "stats/pairs.h"
#include "base/die.h"
#include "base/num.h"
#include "stats/normal.h"
#include "stats/random.h"

/* All flips of the signs of so few pairs are computed; of more, that many by chance. */
enum { MAX_EXACT = 13, MIN_FLIPS = 2000, MAX_FLIPS = 10000, BITS = 32 };
/* For an interval, all flips of up to MAX_COUNTED pairs are counted: sums in eighths of a rank. */
enum { MAX_COUNTED = 100, STEPS = 8 };
/* Terms of all sums at most, so that thousands of tests take seconds. */
static const double max_terms = 1e9;
/* Sums of the same ranks in another order differ by rounding. */
static const double slack = 1e-9;

/* How much of alpha is spent at this number of the planned pairs, by Pocock's function.  Earlier
 * looks leave what the last one needs: as a rule, each test has a flip that is the most extreme. */
static double
spent_until(const struct pairs_looks *looks, size_t pairs, size_t tests)
{
	double share = fmin(1, (double)pairs / (double)looks->planned);
	double kept = share < 1 ? (double)tests * ldexp(1, 1 - (int)looks->planned) : 0;
	return fmax(0, fmin(looks->alpha - kept, looks->alpha * log1p((exp(1) - 1) * share)));
}

/* ---- ranks ------------------------------------------------------------------------- */

struct distance {
	double away, weight;
	size_t at;
};

/* Sorts numbers, and structures that begin with one, by it. */
static int
ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Sets score[i] to the signed rank of d[i] - center among the first n; 0: it has none.  With
 * weights it is the sum of weight[i] * weight[j] over all j that are no farther away: each mean of
 * two differences counts by its weights. */
static void
signed_ranks(const double *d, size_t n, const double *weight, double center, double *score)
{
	struct distance *r = xmalloc((n + 1) * sizeof *r);
	size_t k = 0;
	double below = 0;
	for (size_t i = 0; i < n; i++) {
		score[i] = 0;
		if (!isnan(d[i]))
			r[k++] = (struct distance){fabs(d[i] - center), weight ? weight[i] : 1, i};
	}
	qsort(r, k, sizeof *r, ascending);
	for (size_t i = 0, end; i < k; i = end) {
		double tied = 0;
		for (end = i; end < k && r[end].away <= r[i].away; end++)
			tied += r[end].weight;
		for (size_t j = i; j < end; j++) {
			double rank = r[j].weight * (below + (tied + r[j].weight) / 2);
			score[r[j].at] = r[j].away <= 0 ? 0 : copysign(rank, d[r[j].at] - center);
		}
		below += tied;
	}
	free(r);
}

static double
norm_of(const double *score, size_t n)
{
	double squares = 0;
	for (size_t i = 0; i < n; i++)
		squares += score[i] * score[i];
	return sqrt(squares);
}

/* ---- flips of the signs ---------------------------------------------------------- */

struct flips {
	size_t n;
	bool all;	/* each flip once; else by chance */
	double *sign;	/* n numbers for each pair, 1 or -1; the first of each is 1 */
};

/* The first sign stays: a flip of all signs has the same absolute sums. */
static struct flips
make_flips(size_t pairs, size_t tests)
{
	struct flips f = {.all = pairs <= MAX_EXACT};
	double most = max_terms / ((double)pairs * (double)tests + 1);
	uint64_t state = 1, bits = 0;
	f.n = f.all ? (size_t)1 << (pairs ? pairs - 1 : 0) :
	    (size_t)fmax(MIN_FLIPS, fmin(MAX_FLIPS, most));
	f.sign = xmalloc((f.n * pairs + 1) * sizeof *f.sign);
	for (size_t k = 0; k < f.n; k++)
		for (size_t i = 0; i < pairs; i++, bits >>= 1) {
			if (i % BITS == 0)
				bits = f.all ? k << 1 : k ? random_below(&state, 1ULL << BITS) : 0;
			f.sign[i * f.n + k] = i && bits & 1 ? -1 : 1;
		}
	return f;
}

/* For each flip the absolute sum of the scores over their norm; 0 where nothing differs. */
static void
flipped_sums(const struct flips *f, const double *score, size_t n, double *restrict sum)
{
	double norm = norm_of(score, n);
	memset(sum, 0, f->n * sizeof *sum);
	for (size_t i = 0; i < n && norm > 0; i++) {
		const double *sign = f->sign + i * f->n, share = score[i] / norm;
		for (size_t k = 0; k < f->n; k++)
			sum[k] += sign[k] * share;
	}
	for (size_t k = 0; k < f->n; k++)
		sum[k] = fabs(sum[k]);
}

static int
descending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x < y) - (x > y);
}

/* ---- looks ------------------------------------------------------------------------ */

/* The largest sum of each flip over all tests, with the first n pairs. */
static void
largest_sums(const struct pairs_family *family, const struct flips *f, size_t n, double *largest)
{
	double *score = xmalloc((n + 1) * sizeof *score), *sum = xmalloc(f->n * sizeof *sum);
	memset(largest, 0, f->n * sizeof *largest);
	for (size_t t = 0; t < family->tests; t++) {
		signed_ranks(family->d[t], n, family->weight[t], 0, score);
		flipped_sums(f, score, n, sum);
		for (size_t k = 0; k < f->n; k++)
			largest[k] = sum[k] > largest[k] ? sum[k] : largest[k];
	}
	free(score);
	free(sum);
}

/* The share of flips whose largest sum suffices at this look alone, where so many that no earlier
 * look has ended may: *left, which becomes less. */
static double
level_of_look(double *largest, bool *ended, size_t n, double *left)
{
	double *sorted = xmalloc((n + 1) * sizeof *sorted), bound = INFINITY;
	size_t alive = 0, level = 0, over = 0;
	for (size_t k = 0; k < n; k++)
		if (!ended[k])
			sorted[alive++] = largest[k];
	qsort(sorted, alive, sizeof *sorted, descending);
	for (size_t i = 0, end; i < alive; i = end) {
		for (end = i; end < alive && sorted[end] >= sorted[i] - slack; end++)
			continue;
		if ((double)end > *left)
			break;
		bound = sorted[end - 1] - slack;
	}
	for (size_t k = 0; k < n; k++) {
		bool enough = largest[k] >= bound;
		level += enough;
		over += enough && !ended[k];
		ended[k] |= enough;
	}
	*left -= (double)over;
	free(sorted);
	return (double)level / (double)n;
}

/* The p, corrected for the tests, that is certain at the last look. */
static double
level_at_last(const struct pairs_family *family, const struct pairs_looks *looks,
    const struct flips *f)
{
	double *largest = xmalloc((f->n + 1) * sizeof *largest), level = 0, left = 0, spent = 0;
	bool *ended = memset(xmalloc(f->n + 1), 0, f->n + 1);
	if (looks->n == 1 && looks->pairs[0] >= looks->planned)
		level = looks->alpha;
	for (size_t i = 0; i < looks->n && level < looks->alpha; i++) {
		double now = spent_until(looks, looks->pairs[i], family->tests);
		left += (now - spent) * (double)f->n;
		spent = now;
		largest_sums(family, f, looks->pairs[i], largest);
		level = level_of_look(largest, ended, f->n, &left);
	}
	free(largest);
	free(ended);
	return level;
}

/* Of one test whose differences have no order. */
double
pairs_interval_alpha(const struct pairs_looks *looks)
{
	size_t pairs = looks->pairs[looks->n - 1];
	double *d = xmalloc((pairs + 1) * sizeof *d);
	const double *weight = NULL, *first = d;
	for (size_t i = 0; i < pairs; i++)
		d[i] = fmod(((double)i + 1) * 0.6180339887, 1);
	struct flips f = make_flips(pairs, looks->n);
	double level = level_at_last(&(struct pairs_family){&first, &weight, 1, pairs}, looks, &f);
	free(d);
	free(f.sign);
	return level;
}

/* ---- all tests together ------------------------------------------------------------- */

/* The share of flips in which a test reaches what so large a share of all flips does at most. */
static double
level_alone(double *largest, const double *sum, size_t n, double level)
{
	size_t most = (size_t)floor(level * (double)n + slack), reached = 0;
	double bound = INFINITY;
	qsort(largest, n, sizeof *largest, descending);
	if (largest[0] <= 0)	/* nothing differs in any pair */
		return level;
	for (size_t i = 0; i < most; i++)
		if (i + 1 == n || largest[i + 1] < largest[i] - slack)
			bound = largest[i];
	for (size_t k = 0; k < n; k++)
		reached += sum[k] >= bound - slack;
	return (double)reached / (double)n;
}

/* Sets p of each test alone, and q: from the smallest sum upwards, each with the largest of its own
 * and of all smaller ones; then it is made monotonic from the largest downwards.  Returns the p
 * that a test needs alone. */
static double
step_down(const struct pairs_family *family, const struct flips *f, double level, double *p,
    double *q)
{
	size_t n = family->pairs, tests = family->tests;
	struct num_at *place = xmalloc((tests + 1) * sizeof *place);
	double *score = xmalloc((n + 1) * sizeof *score), *sum = xmalloc(f->n * sizeof *sum);
	double *largest = memset(xmalloc(f->n * sizeof *largest), 0, f->n * sizeof *largest);
	for (size_t t = 0; t < tests; t++) {
		signed_ranks(family->d[t], n, family->weight[t], 0, score);
		double all = 0, norm = norm_of(score, n);
		for (size_t i = 0; i < n; i++)
			all += score[i] / (norm > 0 ? norm : 1);
		place[t] = (struct num_at){fabs(all), t};
	}
	qsort(place, tests, sizeof *place, num_descending);
	for (size_t i = tests; i-- > 0; ) {
		size_t t = place[i].at, alone = 0, together = 0;
		signed_ranks(family->d[t], n, family->weight[t], 0, score);
		flipped_sums(f, score, n, sum);
		for (size_t k = 0; k < f->n; k++) {
			largest[k] = sum[k] > largest[k] ? sum[k] : largest[k];
			alone += sum[k] >= place[i].x - slack;
			together += largest[k] >= place[i].x - slack;
		}
		p[t] = (double)alone / (double)f->n;
		q[t] = (double)together / (double)f->n;
	}
	for (size_t i = 1; i < tests; i++)
		q[place[i].at] = fmax(q[place[i].at], q[place[i - 1].at]);
	double alone = level_alone(largest, sum, f->n, level);
	free(place);
	free(score);
	free(sum);
	free(largest);
	return alone;
}

double
pairs_adjust(const struct pairs_family *family, const struct pairs_looks *looks, double *p,
    double *q)
{
	struct flips f = make_flips(family->pairs, family->tests * looks->n);
	double level = level_at_last(family, looks, &f);
	double alone = step_down(family, &f, level, p, q);
	for (size_t t = 0; t < family->tests; t++)
		q[t] = level > 0 ? fmin(1, q[t] * looks->alpha / level) : 1;
	free(f.sign);
	return alone;
}

/* ---- one test ------------------------------------------------------------------------ */

struct mean {
	double value, weight;
};

/* The means of each two differences, and each with itself, sorted. */
static struct mean *
means_of_two(const double *d, size_t pairs, const double *weight, size_t *n, double *all)
{
	struct mean *mean = xmalloc((pairs * (pairs + 1) / 2 + 1) * sizeof *mean);
	*n = 0;
	*all = 0;
	for (size_t i = 0; i < pairs; i++)
		for (size_t k = i; k < pairs; k++) {
			if (isnan(d[i]) || isnan(d[k]))
				continue;
			double w = weight ? weight[i] * weight[k] : 1;
			mean[(*n)++] = (struct mean){d[i] / 2 + d[k] / 2, w};
			*all += w;
		}
	qsort(mean, *n, sizeof *mean, ascending);
	return mean;
}

static double
weighted_median(const struct mean *mean, size_t n, double all)
{
	double sum = 0;
	size_t i = 0;
	while (i < n && (sum += mean[i].weight) < all / 2 - slack)
		i++;
	bool between = i + 1 < n && sum <= all / 2 + slack;
	return i < n ? mean[i].value / 2 + mean[i + between].value / 2 : (double)NAN;
}

/* The sum of the signed ranks that at most a share alpha of all flips reaches, by the share of
 * flips with each sum of the negative ones.  Weights of halves need no finer steps.  Infinite: no
 * flip suffices. */
static double
critical_sum(const double *rank, size_t n, double alpha)
{
	size_t all = 0, most = 0, sum = 0;
	double tail = 0;
	for (size_t i = 0; i < n; i++)
		all += (size_t)lround(STEPS * fabs(rank[i]));
	double *ways = memset(xmalloc((all + 1) * sizeof *ways), 0, (all + 1) * sizeof *ways);
	ways[0] = 1;
	for (size_t i = 0; i < n; i++) {
		size_t step = (size_t)lround(STEPS * fabs(rank[i]));
		most += step;
		for (size_t k = most + 1; step && k-- > 0; )
			ways[k] = (ways[k] + (k >= step ? ways[k - step] : 0)) / 2;
	}
	while (sum <= all / 2 && 2 * (tail += ways[sum]) <= alpha)
		sum++;
	free(ways);
	return sum ? ((double)all - 2 * (double)(sum - 1)) / STEPS : (double)INFINITY;
}

/* Of the ranks around a center that is no difference itself; of many pairs the sum is nearly
 * normal. */
static double
critical_around(const double *d, size_t pairs, const double *weight, double center, double alpha)
{
	double *rank = xmalloc((pairs + 1) * sizeof *rank);
	size_t n = 0;
	signed_ranks(d, pairs, weight, nextafter(center, INFINITY), rank);
	for (size_t i = 0; i < pairs; i++)
		if (!isnan(d[i])) {
			rank[n] = weight ? rank[i] : (double)(n + 1);
			n++;
		}
	double bound = n <= MAX_COUNTED ? critical_sum(rank, n, alpha) :
	    normal_quantile(1 - alpha / 2) * norm_of(rank, n);
	free(rank);
	return bound;
}

static double
deviation_of(const double *d, size_t pairs, size_t n)
{
	double mean = 0, squares = 0;
	for (size_t i = 0; i < pairs; i++)
		mean += isnan(d[i]) ? 0 : d[i] / (double)n;
	for (size_t i = 0; i < pairs; i++)
		squares += isnan(d[i]) ? 0 : (d[i] - mean) * (d[i] - mean);
	return n > 1 ? sqrt(squares / ((double)n - 1)) : (double)NAN;
}

struct pairs_shift
pairs_shift(const double *d, size_t pairs, const double *weight, double alpha)
{
	struct pairs_shift s = {.low = -INFINITY, .high = INFINITY};
	size_t means;
	double all, sum = 0;
	struct mean *mean = means_of_two(d, pairs, weight, &means, &all);
	for (size_t i = 0; i < pairs; i++)
		s.n += isnan(d[i]) ? 0 : 1;
	s.shift = weighted_median(mean, means, all);
	s.deviation = deviation_of(d, pairs, s.n);
	double bound = critical_around(d, pairs, weight, s.shift, alpha);
	/* A shift is in the interval where the means above it do not outweigh those below by more
	 * than chance does. */
	for (size_t i = 0; i < means && isfinite(bound); i++) {
		sum += mean[i].weight;
		if (isinf(s.low) && all - 2 * sum < bound - slack)
			s.low = mean[i].value;
		if (isinf(s.high) && 2 * sum - all >= bound - slack)
			s.high = mean[i].value;
	}
	free(mean);
	return s;
}
