/* param_text.c: how a combination of parameters is called. */
#include "text/param_text.h"
#include "base/buf.h"
#include "base/die.h"
#include "json/json_text.h"

char *
param_text(json_t *params, json_t *keys, size_t key_bytes)
{
	struct buf b = {0};
	const char *key;
	json_t *unused;
	if (!params)
		return NULL;
	json_object_foreach(keys ? keys : params, key, unused) {
		json_t *value = json_object_get(params, key);
		char *text = json_is_string(value) ? xstrdup(json_string_value(value)) :
		    value ? json_text_of(value) : xstrdup("-");
		size_t n = key_bytes < strlen(key) ? key_bytes : strlen(key);
		while ((key[n] & 0xc0) == 0x80)
			n++;
		buf_addf(&b, "%s%.*s=%s", b.n ? " " : "", (int)n, key, text);
		free(text);
	}
	return b.p;
}

static void
add_missing_or_other(json_t *keys, json_t *params, json_t *other)
{
	const char *key;
	json_t *value;
	json_object_foreach(params, key, value)
		if (!json_equal(value, json_object_get(other, key)))
			json_object_set_new(keys, key, json_true());
}

void
param_text_add_differing(json_t *keys, json_t *params, json_t *other)
{
	add_missing_or_other(keys, params, other);
	add_missing_or_other(keys, other, params);
}

json_t *
param_text_ordered(json_t *keys, json_t *params)
{
	json_t *ordered = json_object(), *value;
	const char *key;
	json_object_foreach(params, key, value)
		if (json_object_get(keys, key))
			json_object_set_new(ordered, key, json_true());
	json_object_update(ordered, keys);
	return ordered;
}
