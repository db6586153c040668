/* amount.h: amounts of time, memory and energy in the forms in which tools write them. */
#pragma once

#include "text/unit.h"

/* A number and its unit; without one, of OF_NOTHING.  NaN: the text is no amount. */
struct amount {
	double x;
	struct unit unit;
};
/* Reads "1.5 GiB", "469838K", "97 %", "2h 3m 4s", "1 day, 2:03:04", "1-02:03:04", "PT5M".  "5m"
 * and "2d" are times only where these are expected (OF_TIME), likewise "512m" a size. */
struct amount amount_of(const char *text, enum quantity expected);
/* Converts it to the unit; NaN: it is of another quantity.  A bare number is in it already. */
double amount_in(const struct amount *, const struct unit *);
/* Converts "5GB", "20 GiB", "1.5 h" to the unit.  0, or -1 if the text is no such amount. */
int amount_read(const char *text, const struct unit *, double *value);
