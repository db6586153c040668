/* forecast.h: how long a run will take, predicted from past runs. */
#pragma once

#include "json/scan.h"
#include "past_runs.h"
#include "stats/scaling.h"

enum { MAX_TERMS = 8 };

struct forecast {
	const struct past_runs *past;
	size_t n;		/* notebooks that it is made from; 0: it knows nothing */
	bool early;		/* all of them ended early: it is too low */
	bool stale;		/* all runs are stale; else stale ones do not count */
	double mean_s, low_s, high_s;
	double low[MAX_FACTORS], high[MAX_FACTORS];	/* the ranges of the factors */
	struct scaling law;
	size_t terms[MAX_TERMS], n_terms;	/* its factors; none: the mean is better */
	double ratio;		/* of the times to what the law says, all together */
};
void forecast_make(struct forecast *, const struct past_runs *);

struct prediction {
	double s, low_s, high_s;
	bool extrapolated;	/* a parameter is outside the range of past runs */
};
struct prediction forecast_predict(const struct forecast *, struct scan *params);
