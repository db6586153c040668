/* json_value.h: JSON values from C's, and back. */
#pragma once

#include <jansson.h>
#include <stddef.h>

/* NaN and infinities become null. */
json_t *json_value_ms(double ms);	/* rounded to 1 us */
json_t *json_value_time(double unix_s);	/* rounded to 1 us */
json_t *json_value_real(double);
json_t *json_value_above_0(json_int_t);	/* null for 0 and less */
json_t *json_value_text(const char *);	/* null for NULL and "" */
/* The record with the members of `more`.  Takes over both, and dies if one could not be made. */
json_t *xjson_value_join(json_t *record, json_t *more);
/* The index that the object has for the key, which it frees; a new key gets the index `next`. */
size_t xjson_value_index(json_t *by_key, char *key, size_t next);
/* The object's keys as a text, with `between` between them; NULL: it has none. */
char *json_value_keys(json_t *object, const char *between);
double json_value_real_at(const json_t *object, const char *key);	/* NaN: not a number */
