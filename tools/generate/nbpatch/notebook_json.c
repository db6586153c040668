/* notebook_json.c: JSON text as Jupyter writes notebooks, one space per level. */
#include "notebook_json.h"
#include "json/json_text.h"

void
notebook_json_add(struct buf *b, json_t *v, int depth, struct notebook_slot *slots, size_t n_slots)
{
	void *it = json_object_iter(v);
	size_t n = json_is_object(v) ? json_object_size(v) : json_array_size(v);
	for (size_t i = 0; i < n_slots; i++)
		if (slots[i].value == v) {
			slots[i].end = b->n;
			slots[i].depth = depth;
			return;
		}
	if (n == 0) {
		json_text_add(b, v);
		return;
	}
	buf_add(b, it ? "{" : "[", 1);
	for (size_t i = 0; i < n; i++) {
		buf_addf(b, "%s\n%*s", i ? "," : "", depth + 1, "");
		if (it) {
			json_t *key = json_string(json_object_iter_key(it));
			json_text_add(b, key);
			json_decref(key);
			buf_add(b, ": ", 2);
		}
		json_t *member = it ? json_object_iter_value(it) : json_array_get(v, i);
		notebook_json_add(b, member, depth + 1, slots, n_slots);
		it = it ? json_object_iter_next(v, it) : NULL;
	}
	buf_addf(b, "\n%*s", depth, "");
	buf_add(b, json_is_object(v) ? "}" : "]", 1);
}
