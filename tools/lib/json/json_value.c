/* json_value.c: JSON values from C's, and back. */
#include "json/json_value.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/num.h"

json_t *
json_value_ms(double ms)
{
	/* + 0.0: no negative zero. */
	return isfinite(ms) ? json_real(num_round(ms, 3) + 0.0) : json_null();
}

json_t *
json_value_time(double unix_s)
{
	return isfinite(unix_s) ? json_real(num_round(unix_s, 6)) : json_null();
}

json_t *
json_value_real(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

json_t *
json_value_text(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

json_t *
json_value_above_0(json_int_t n)
{
	return n > 0 ? json_integer(n) : json_null();
}

json_t *
xjson_value_join(json_t *record, json_t *more)
{
	if (!record || !more || json_object_update_new(record, more) != 0)
		die(ST_SYSTEM, "out of memory");
	return record;
}

double
json_value_real_at(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);
	return json_is_number(v) ? json_number_value(v) : NAN;
}

size_t
xjson_value_index(json_t *by_key, char *key, size_t next)
{
	json_t *at = json_object_get(by_key, key);
	if (!at && json_object_set_new(by_key, key, json_integer((json_int_t)next)) != 0)
		die(ST_SYSTEM, "out of memory");
	free(key);
	return at ? (size_t)json_integer_value(at) : next;
}

char *
json_value_keys(json_t *object, const char *between)
{
	struct buf b = {0};
	const char *key;
	json_t *v;
	json_object_foreach(object, key, v)
		buf_addf(&b, "%s%s", b.n ? between : "", key);
	return b.p;
}
