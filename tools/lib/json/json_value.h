/* json_value.h: JSON values from C's, and back. */
#pragma once

#include <jansson.h>

/* NaN and infinities become null. */
json_t *json_value_ms(double ms);	/* rounded to 1 us */
json_t *json_value_time(double unix_s);	/* rounded to 1 us */
json_t *json_value_real(double);
json_t *json_value_text(const char *);	/* null for NULL and "" */
/* The record with the members of `more`.  Takes over both, and dies if one could not be made. */
json_t *xjson_value_join(json_t *record, json_t *more);
double json_value_real_at(const json_t *object, const char *key);	/* NaN: not a number */
