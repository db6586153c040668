/* power.c: how often two_samples.c is right on simulated runs of notebooks.
 * power SEED TRIALS NOISE RUNS CELLS [SLOWDOWN]: one notebook with its total; the first cell is
 * slower by SLOWDOWN, or without it by the minimum detectable effect that runs without a change
 * state. Prints how often it and its notebook are flagged as worse, how often another cell is or,
 * without a change, any; how often a spread is said to have changed; and the mean effect. */
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
static size_t runs, cells;
static const struct test_settings settings = {.alpha = 0.05, .relative = 0.05, .detect = 0.10};

static double
time_of(double median)
{
	double u = ((double)random_below(&state, 1u << 30) + 0.5) / (1u << 30);
	return median * fmax(1e-9, 1 + noise * normal_quantile(u));
}

/* The cells, then their sum, of which the first cell is `slower`. */
static struct test_totals
compare(struct test *t, double *room, double slower)
{
	for (size_t i = 0; i <= cells; i++) {
		double *x = room + 2 * i * runs, *y = x + runs, *sum = room + 2 * cells * runs;
		for (size_t k = 0; k < 2 * runs; k++) {
			double factor = i == 0 && k >= runs ? 1 + slower : 1;
			if (i == 0)
				sum[k] = 0;
			if (i < cells)
				sum[k] += x[k] = time_of(factor);
		}
		t[i] = (struct test){.x = x, .y = y, .m = runs, .n = runs, .gate = true,
		    .is_total = i == cells, .total = i < cells ? &t[cells] : NULL};
	}
	for (size_t i = 0; i <= cells; i++) {
		sample_sort(room + 2 * i * runs, runs);
		sample_sort(room + (2 * i + 1) * runs, runs);
	}
	return two_samples_compare(t, cells + 1, &settings);
}

int
main(int argc, char **argv)
{
	state = strtoul(argv[1], NULL, 10);
	long trials = atol(argv[2]), found = 0, gate = 0, others = 0, spreads = 0, lost = 0;
	noise = atof(argv[3]);
	runs = strtoul(argv[4], NULL, 10);
	cells = strtoul(argv[5], NULL, 10);
	struct test *t = xmalloc((cells + 1) * sizeof *t);
	double *room = xmalloc(2 * (cells + 1) * runs * sizeof *room), effects = 0;
	for (long i = 0; i < trials; i++) {
		double slower = argc > 6 ? atof(argv[6]) : 0;
		if (argc <= 6) {
			compare(t, room, 0);
			slower = t[0].detectable / t[0].x_median;
			lost += !isfinite(slower);
			if (!isfinite(slower))
				continue;
		}
		struct test_totals c = compare(t, room, slower);
		bool first = t[0].answer == WORSE || t[0].answer == BETTER;
		bool total = t[cells].answer == WORSE || t[cells].answer == BETTER;
		size_t all = c.count[WORSE] + c.count[BETTER];
		found += t[0].answer == WORSE;
		gate += t[cells].answer == WORSE;
		others += slower > 0 || slower < 0 ? all > (size_t)first + total : all > 0;
		for (size_t k = 0; k <= cells; k++)
			if (t[k].spread != SPREAD_SAME) {
				spreads++;
				break;
			}
		effects += slower / (double)trials;
	}
	double n = (double)(trials - lost);
	printf("{\"trials\":%ld,\"found\":%.4f,\"notebook\":%.4f,\"others\":%.4f,\"spread\":%.4f,"
	    "\"effect\":%.4f,\"without_effect\":%ld}\n", trials, (double)found / n,
	    (double)gate / n, (double)others / n, (double)spreads / n, effects, lost);
	return 0;
}
