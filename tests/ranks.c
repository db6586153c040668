/* ranks.c: checks rank_test.c, normal.c and fdr.c against known answers (tests/ranks.py).
 * Reads lines of them; prints each value that differs, and how many were right. */
#include "stats/fdr.h"
#include "stats/normal.h"
#include "base/die.h"
#include "json/lines.h"
#include "stats/rank_test.h"
#include "stats/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static long right, wrong;

static void
same(const json_t *r, const char *key, double got)
{
	const json_t *v = json_object_get(r, key), *what = json_object_get(r, "what");
	double want = json_is_number(v) ? json_number_value(v) : (double)NAN;
	if (isnan(want) ? !isfinite(got) : fabs(got - want) <= 1e-9 * fabs(want) + 1e-300) {
		right++;
		return;
	}
	wrong++;
	printf("%s %s: %.17g instead of %.17g\n", what ? json_string_value(what) : lines_record_type(r), key, got, want);
}

static size_t
values(const json_t *r, const char *key, double **v)
{
	const json_t *list = json_object_get(r, key);
	size_t n = json_array_size(list);
	*v = xmalloc(n * sizeof **v);
	for (size_t i = 0; i < n; i++)
		(*v)[i] = json_number_value(json_array_get(list, i));
	return n;
}

static void
ranks(const json_t *r)
{
	double *x, *y;
	size_t m = values(r, "x", &x), n = values(r, "y", &y);
	m = sample_sort(x, m);
	n = sample_sort(y, n);
	struct rank_sum sum = rank_sum(x, m, y, n);
	struct rank_shift shift = rank_shift(x, m, y, n);
	same(r, "u", sum.u);
	same(r, "u_p", sum.p);
	same(r, "delta", sum.delta);
	same(r, "shift", shift.shift);
	same(r, "low", shift.low);
	same(r, "high", shift.high);
	same(r, "mad", sample_mad(x, m));
	if (sum.exact != json_is_true(json_object_get(r, "exact")))
		wrong++;
	free(x);
	free(y);
}

static void
adjusted(json_t *r)
{
	double *p, *q;
	size_t n = values(r, "p", &p);
	values(r, "q", &q);
	fdr_adjust(p, p, n);
	for (size_t i = 0; i < n; i++) {
		json_object_set_new(r, "i", json_real(q[i]));
		same(r, "i", p[i]);
	}
	free(p);
	free(q);
}

int
main(void)
{
	static struct lines in = {.name = "stdin"};
	char *line;
	size_t len;
	while ((line = xlines_next(&in, &len))) {
		json_t *r = xlines_parse(&in, line, len);
		double p = json_number_value(json_object_get(r, "p")), freedom = json_number_value(json_object_get(r, "freedom"));
		switch (*lines_record_type(r)) {
		case 'r': ranks(r); break;
		case 'a': adjusted(r); break;
		case 't': same(r, "quantile", normal_t_quantile(p, freedom)); break;
		case 'n': same(r, "quantile", normal_quantile(p)); break;
		}
		json_decref(r);
	}
	printf("%ld right, %ld wrong\n", right, wrong);
	return wrong ? 1 : 0;
}
