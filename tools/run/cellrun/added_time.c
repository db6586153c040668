/* added_time.c: the time that nbscope adds between a cell and the next, in parts: what the page
 * does, the way of its answer through the driver, and readings and the record. */
#include "added_time.h"
#include "base/clock.h"
#include "base/die.h"
#include "json/json_value.h"
#include "stats/quantile_sorted.h"

enum { SCRIPTS = 3, CALL_MS = 5000 };

double
added_time_driver_ms(struct wd *w)
{
	double ms[SCRIPTS];
	for (size_t i = 0; i < SCRIPTS; i++) {
		uint64_t start_ns = clock_monotonic_ns();
		json_t *done = wd_script_async(w, "done(0)", NULL, CALL_MS);
		ms[i] = (double)(clock_monotonic_ns() - start_ns) / 1e6;
		if (!done)
			return NAN;
		json_decref(done);
	}
	return quantile_of_few(ms, SCRIPTS, 0.5);
}

json_t *
added_time(const json_t *seen, double answered_t)
{
	static const char *const ends[] = {"settled", "done"};
	double end = json_value_real_at(seen, "received"), left = json_value_real_at(seen, "left");
	double left_t = (json_value_real_at(seen, "origin") + left) / 1000;
	if (isnan(end) || isnan(left))
		return json_null();
	for (size_t i = 0; i < COUNT(ends); i++)
		end = fmax(end, json_value_real_at(seen, ends[i]));
	return json_pack("{s:o, s:o, s:o, s:o}", "page_ms", json_value_ms(left - end),
	    "question_ms", json_value_ms(json_value_real_at(seen, "askedMs")),
	    "answer_ms", json_value_ms((answered_t - left_t) * 1000),
	    "record_ms", json_value_ms((clock_unix_s() - answered_t) * 1000));
}
