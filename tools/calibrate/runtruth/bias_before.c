/* bias_before.c: the bias of each metric in an earlier calibration, from its truth records. */
#include "bias_before.h"
#include "base/die.h"
#include "json/scan.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct earlier_error {
	char *metric, *cell;
	double error;
} *errors;
static size_t n_errors;

static void
read_earlier_error(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	xscan_record(s, in, line, len);
	if (!scan_type_is(s, "truth"))
		return;
	struct earlier_error e = {.cell = scan_string(s, "cell_id"),
		.metric = scan_string(s, "metric"), .error = span_number(scan_get(s, "error"))};
	if (!e.metric || !e.cell || isnan(e.error)) {
		free(e.metric);
		free(e.cell);
		return;
	}
	*XAPPEND(errors, n_errors) = e;
}

void
xbias_before_read(const char *path)
{
	char *files[] = {(char *)(uintptr_t)path, NULL};
	if (access(path, F_OK) == 0)
		xscan_files(files, read_earlier_error);
}

double
bias_before(const char *metric, const char *cell)
{
	double *v = xmalloc((n_errors + 1) * sizeof *v);
	size_t n = 0;
	for (size_t i = 0; i < n_errors; i++)
		if (strcmp(errors[i].metric, metric) == 0 &&
		    (!cell || strcmp(errors[i].cell, cell) == 0))
			v[n++] = errors[i].error;
	double median = n ? quantile_median(v, n) : (double)NAN;
	free(v);
	return median;
}
