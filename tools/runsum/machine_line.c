/* machine_line.c: whether the machine was as steady as when it was calibrated. */
#include "machine_line.h"
#include "base/die.h"
#include "base/output.h"
#include "json/json_value.h"
#include "text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { COLUMNS = 100, MAX_LINES = 4 };
/* Noise is from the 10th to the 90th percentile.  Below these values it is no reason to doubt. */
#define MIN_COMPUTATION_PCT 1.0
#define MIN_REQUEST_MS 2.0
#define NOISIER 2

static struct noise { double t, computation_pct, request_ms; } latest = {NAN, NAN, NAN};
static struct noise calibrated = {NAN, NAN, NAN};

static double
spread_ms(const json_t *times)
{
	return json_value_real_at(times, "p90_ms") - json_value_real_at(times, "p10_ms");
}

static void
keep_latest(struct noise *n, struct scan *s)
{
	double t = span_number(scan_get(s, "t"));
	if (isnan(t) || t <= n->t)
		return;
	json_t *computation = span_json(scan_get(s, "computation"));
	json_t *request = span_json(scan_get(s, "request"));
	double median_ms = json_value_real_at(computation, "median_ms");
	*n = (struct noise){t, 100 * spread_ms(computation) / median_ms, spread_ms(request)};
	json_decref(computation);
	json_decref(request);
}

void
machine_line_read(struct scan *s)
{
	keep_latest(&latest, s);
}

/* A file that was cut is no reason to give no verdict. */
static void
read_calibration(const char *path)
{
	struct lines in = {.fd = open(path, O_RDONLY | O_CLOEXEC), .name = path};
	struct scan s = {0};
	size_t len;
	bool good = in.fd >= 0;
	for (char *line; good && (line = xlines_next(&in, &len)); )
		if ((good = scan_record(&s, line, len)) && scan_type_is(&s, "machine_noise"))
			keep_latest(&calibrated, &s);
	if (!good && (in.fd >= 0 || errno != ENOENT))
		warn("'%s' is damaged and ignored: 'make calibrate' writes it again", path);
	if (in.fd >= 0)
		close(in.fd);
	free(s.m);
	buf_free(&in.buf);
}

static void
add_noise(struct buf *b, const char *of, const char *unit, double now, double then)
{
	if (isfinite(now))
		buf_addf(b, " %s %.1f %s", of, now, unit);
	if (isfinite(now) && isfinite(then))
		buf_addf(b, " (at the last calibration %.1f)", then);
}

static bool
is_noisier(double now, double then, double least)
{
	return !isnan(then) && now > NOISIER * fmax(then, least);
}

void
machine_line_put(const char *calibration)
{
	struct buf b = {0};
	if (isnan(latest.t))
		return;
	if (calibration)
		read_calibration(calibration);
	buf_addf(&b, "machine: noise of");
	add_noise(&b, "a fixed computation", "%", latest.computation_pct,
	    calibrated.computation_pct);
	if (isfinite(latest.request_ms))
		buf_addf(&b, ", of");
	add_noise(&b, "an empty request", "ms", latest.request_ms, calibrated.request_ms);
	if (calibration && isnan(calibrated.t))
		buf_addf(&b, "; not calibrated yet: make calibrate");
	if (is_noisier(latest.computation_pct, calibrated.computation_pct, MIN_COMPUTATION_PCT) ||
	    is_noisier(latest.request_ms, calibrated.request_ms, MIN_REQUEST_MS))
		buf_addf(&b, "; warning: twice as noisy as then or more: end other programs "
		    "before you trust small differences");
	text_put_wrapped(b.p, 0, COLUMNS, MAX_LINES);
	buf_free(&b);
}
