/* power.c: how often two_samples.c is right on simulated runs of notebooks.
 * power SEED TRIALS NOISE RUNS CELLS TOTALS [SLOWDOWN]: TOTALS sums of CELLS cells each; the first
 * cell is slower by SLOWDOWN, or without it by the minimum detectable effect that runs without a
 * change state. Prints how often it and its total are flagged as worse; the false discovery rate,
 * which without a change is how often any test is flagged; how often a spread is said to have
 * changed; and the mean effect. */
#include "base/die.h"
#include "stats/normal.h"
#include "stats/random.h"
#include "stats/sample.h"
#include "stats/two_samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;
static double noise;
static size_t runs, cells, totals;
static const struct test_settings settings = {.alpha = 0.05, .relative = 0.05, .detect = 0.10};

static double
random_time(double median)
{
	double u = ((double)random_below(&state, 1u << 30) + 0.5) / (1u << 30);
	return median * exp(noise * normal_quantile(u));
}

/* The cells of one total, then it. */
static void
fill_tests(struct test *t, double *room, double slower)
{
	double *sum = room + 2 * cells * runs;
	for (size_t k = 0; k < 2 * runs; k++)
		sum[k] = 0;
	for (size_t i = 0; i <= cells; i++) {
		double *x = room + 2 * i * runs;
		for (size_t k = 0; k < 2 * runs && i < cells; k++)
			sum[k] += x[k] = random_time(i == 0 && k >= runs ? 1 + slower : 1);
		t[i] = (struct test){.x = x, .y = x + runs, .m = runs, .n = runs, .gate = true,
		    .is_total = i == cells, .total = i < cells ? &t[cells] : NULL};
		sample_sort(x, runs);
		sample_sort(x + runs, runs);
	}
}

static struct test_totals
compare(struct test *t, double *room, double slower)
{
	for (size_t i = 0; i < totals; i++)
		fill_tests(t + i * (cells + 1), room + 2 * i * (cells + 1) * runs,
		    i == 0 ? slower : 0);
	return two_samples_compare(t, (cells + 1) * totals, &settings);
}

static bool
is_flagged(const struct test *t)
{
	return t->result == WORSE || t->result == BETTER;
}

int
main(int argc, char **argv)
{
	state = strtoul(argv[1], NULL, 10);
	long trials = atol(argv[2]), found = 0, gate = 0, spreads = 0, lost = 0;
	double effects = 0, wrong = 0;
	noise = atof(argv[3]);
	runs = strtoul(argv[4], NULL, 10);
	cells = strtoul(argv[5], NULL, 10);
	totals = strtoul(argv[6], NULL, 10);
	size_t tests = (cells + 1) * totals, changed = 0;
	struct test *t = xmalloc(tests * sizeof *t);
	double *room = xmalloc(2 * tests * runs * sizeof *room);
	for (long i = 0; i < trials; i++) {
		double slower = argc > 7 ? atof(argv[7]) : 0;
		if (argc <= 7) {
			compare(t, room, 0);
			slower = t[0].detectable / t[0].x_median;
			lost += !isfinite(slower);
			if (!isfinite(slower))
				continue;
		}
		struct test_totals c = compare(t, room, slower);
		size_t all = c.count[WORSE] + c.count[BETTER];
		size_t right = slower > 0 ? is_flagged(&t[0]) + is_flagged(&t[cells]) : 0;
		if (all)
			wrong += (double)(all - right) / (double)all;
		found += t[0].result == WORSE;
		gate += t[cells].result == WORSE;
		changed = 0;
		for (size_t k = 0; k < tests; k++)
			changed += t[k].spread != SPREAD_SAME;
		spreads += changed > 0;
		effects += slower;
	}
	double n = (double)(trials - lost);
	printf("{\"without_effect\":%ld,\"found\":%.4f,\"total_found\":%.4f,\"false\":%.4f,"
	    "\"spread\":%.4f,\"effect\":%.4f}\n", lost, (double)found / n, (double)gate / n,
	    wrong / n, (double)spreads / n, effects / n);
	return 0;
}
