/* interaction_record.c: what share/page/gesture.js reports of a gesture, as records. */
#include "record/interaction_record.h"

/* Type and t come first: WebDriver sorts the members of what it passes on. */
static json_t *
new_record(const char *type, json_int_t number, json_t *members)
{
	json_t *r = json_pack("{s:s, s:O?, s:I, s:O?}", "type", type, "t",
	    json_object_get(members, "t"), "number", number, "input",
	    json_object_get(members, "input"));
	json_object_update(r, members);
	return r;
}

void
interaction_record_write(const json_t *answer, json_int_t number, json_t *more,
    void (*write)(json_t *))
{
	json_t *step, *r;
	size_t i;
	json_array_foreach(json_object_get(answer, "steps"), i, step)
		write(new_record("interaction_step", number, step));
	r = new_record("interaction", number, json_object_get(answer, "record"));
	json_object_update(r, more);
	json_decref(more);
	write(r);
}
