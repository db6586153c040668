/* machine_line.c: whether the machine was as steady and as fast as when it was calibrated. */
#include "machine_line.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/installation.h"
#include "base/output.h"
#include "json/json_value.h"
#include "text/text.h"
#include "text/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { HOUR_S = 3600 };
/* Noise is from the 10th to the 90th percentile.  Below these values it is no reason to doubt. */
#define MIN_COMPUTATION_PCT 1.0
#define MIN_REQUEST_MS 2.0
#define NOISIER 2
#define SLOWER 1.5

enum timed { COMPUTATION, REQUEST, TIMED };
static const struct { const char *member, *unit; double least; } timed[TIMED] = {
	{"computation", "%", MIN_COMPUTATION_PCT}, {"request", "ms", MIN_REQUEST_MS},
};
static struct noise { double t, noise[TIMED], median_ms[TIMED]; } latest = {.t = NAN};
static struct noise calibrated = {.t = NAN};

static void
keep_latest(struct noise *n, struct scan *s)
{
	double t = span_number(scan_get(s, "t"));
	if (isnan(t) || t <= n->t)
		return;
	n->t = t;
	for (size_t i = 0; i < TIMED; i++) {
		json_t *ms = span_json(scan_get(s, timed[i].member));
		double spread_ms =
		    json_value_real_at(ms, "p90_ms") - json_value_real_at(ms, "p10_ms");
		n->median_ms[i] = json_value_real_at(ms, "median_ms");
		n->noise[i] =
		    i == COMPUTATION ? 100 * spread_ms / n->median_ms[i] : spread_ms;
		json_decref(ms);
	}
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
		warn("'%s' is damaged and ignored: '%s calibrate' writes it again", path,
		    installation_command());
	if (in.fd >= 0)
		close(in.fd);
	free(s.m);
	buf_free(&in.buf);
}

/* "; 3 h 12 min ago": nothing was run since. */
static void
add_age(struct buf *b)
{
	double age_s = clock_unix_s() - latest.t;
	if (age_s > HOUR_S)
		buf_addf(b, "; %s ago", unit_time(age_s).p);
}

/* How many times the noise of the calibration it is; 0: unknown. */
static double
noisier(size_t i)
{
	double then = calibrated.noise[i];
	return isfinite(then) && latest.noise[i] > 0 ?
	    latest.noise[i] / fmax(then, timed[i].least) : 0;
}

static double
slower(size_t i)
{
	double then = calibrated.median_ms[i];
	return then > 0 && latest.median_ms[i] > 0 ? latest.median_ms[i] / then : 0;
}

static void
put_warning(size_t columns)
{
	struct buf b = {0};
	double noise = fmax(noisier(COMPUTATION), noisier(REQUEST));
	double time = fmax(slower(COMPUTATION), slower(REQUEST));
	if (!(noise > NOISIER) && !(time > SLOWER))
		return;
	buf_addf(&b, "warning: ");
	if (noise > NOISIER)
		buf_addf(&b, "noisier (%.1f times)%s", noise, time > SLOWER ? " and " : "");
	if (time > SLOWER)
		buf_addf(&b, "slower (%.1f times)", time);
	buf_addf(&b, " than when calibrated: end other programs");
	text_put_wrapped(STYLE_DOUBT, b.p, 0, columns);
	buf_free(&b);
}

/* "1.0 % of a computation, 2.5 ms of a request", or without what they are of. */
static void
add_noise(struct buf *b, const struct noise *n, bool named)
{
	const char *comma = "";
	for (size_t i = 0; i < TIMED; i++) {
		if (isnan(n->noise[i]))
			continue;
		buf_addf(b, "%s%.1f %s", comma, n->noise[i], timed[i].unit);
		if (named)
			buf_addf(b, " of a %s", timed[i].member);
		comma = ", ";
	}
}

void
machine_line_put(const char *calibration, size_t columns)
{
	struct buf b = {0};
	if (isnan(latest.t))
		return;
	if (calibration)
		read_calibration(calibration);
	buf_addf(&b, "machine: noise ");
	add_noise(&b, &latest, true);
	if (isfinite(calibrated.t)) {
		buf_addf(&b, " (calibrated: ");
		add_noise(&b, &calibrated, false);
		buf_addf(&b, ")");
	} else if (calibration) {
		buf_addf(&b, "; not calibrated: %s calibrate", installation_command());
	}
	add_age(&b);
	text_put_wrapped(STYLE_NONE, b.p, 0, columns);
	buf_free(&b);
	if (isfinite(calibrated.t))
		put_warning(columns);
}
