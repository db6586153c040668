/* unit.h: units in column names, and numbers formatted for people: 1.61 GB or 1.50 GiB,
 * never one for the other. */
#pragma once

#include "base/buf.h"

enum quantity { OF_NOTHING, OF_TIME, OF_BYTES, OF_SHARE, OF_ENERGY, OF_OTHER };
struct unit {
	char symbol[16];	/* "s", "MiB", "%"; "" for a bare number */
	enum quantity quantity;
	double factor;		/* to s, bytes, 1 (percent: 0.01) or J; else 1 */
};
/* The unit at the end of a name: run_time_s, memory_bytes, size_gib, utilization_pct; also after
 * "_metric" and "_param".  metric/metric_column.h knows nbscope's own columns. */
struct unit unit_of(const char *column);
/* Seconds, bytes, percent or joules; without a symbol for other quantities. */
struct unit unit_own(enum quantity);
/* "GiB", "ms", "bytes", "percent": 0, or -1 if the text is empty or too long.  Any other
 * short word is an opaque unit: OF_OTHER, and 0. */
int unit_parse(const char *text, struct unit *);
/* Times and bytes with a suitable prefix, four digits: "12.30 ms", "1 min 15 s", "1 h 52 min",
 * "1.610 GB" (`binary`: "1.500 GiB"), "97.10 %".  NaN: "-". */
void unit_print(struct buf *, double value, const struct unit *, bool binary);
/* A duration in a sentence, as by unit_print():  printf("took %s", unit_time(s).p)
 * In a column that is compared by eye all durations have one unit instead. */
struct unit_text { char p[32]; };
struct unit_text unit_time(double s);
struct unit_text unit_text(double, const struct unit *);	/* any value */
/* An amount in a sentence, with this number of decimals: "1.2 GB", "12 bytes". */
void unit_bytes(struct buf *, double bytes, int decimals);
/* The unit for an axis or a heading: that of the same quantity in which `largest` has
 * one to three digits before its point (s, min, h; kB, MB, GB or KiB, MiB, GiB);
 * value * ratio is in it. */
struct unit unit_suits(const struct unit *, double largest, bool binary, double *ratio);
/* The name without its unit, with blanks for underscores: "run time"; the caller frees
 * it. */
char *unit_title(const char *column);
