/* run_interaction.c: what an `interaction` record says of a gesture. */
#include "run/run_interaction.h"
#include "base/die.h"

#include <math.h>

/* Adds the characters of the first string with their escapes; of none of them, nothing. */
static void
add_first(struct buf *b, const char *before, const struct span *texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!span_null(texts[i]) && *texts[i].p == '"' && texts[i].n > 2) {
			buf_addf(b, "%s%.*s", before, (int)texts[i].n - 2, texts[i].p + 1);
			return;
		}
}

static json_t *names;	/* {a cell's index and a name: how many interactions have it} */

void
run_interaction_forget(void)
{
	json_decref(names);
	names = json_object();
}

/* The name without its last quote, and its number. */
static void
number_name(struct buf *b, struct span cell)
{
	char *key = xasprintf("%.*s %s", cell.p ? (int)cell.n : 0, cell.p ? cell.p : "", b->p);
	if (!names)
		run_interaction_forget();
	json_int_t n = json_integer_value(json_object_get(names, key)) + 1;
	json_object_set_new(names, key, json_integer(n));
	if (n > 1)
		buf_addf(b, " (%" JSON_INTEGER_FORMAT ")", n);
	free(key);
}

void
run_interaction_name(struct buf *b, struct scan *s)
{
	static struct scan element;
	struct span name = scan_get(s, "name"), input = scan_get(s, "input");
	b->n = 0;
	buf_addf(b, "\"");
	add_first(b, "", (struct span[]){name, scan_get(s, "gesture"), input}, 3);
	if (span_null(name)) {
		scan_members(&element, scan_get(s, "element"));
		add_first(b, " ", (struct span[]){scan_get(&element, "role"),
		    scan_get(&element, "tag")}, 2);
	}
	number_name(b, scan_get(s, "cell_index"));
	buf_addf(b, "\"");
}

double
run_interaction_time(struct scan *s)
{
	double client_ms = span_number(scan_get(s, "client_ms"));
	double gesture_ms = span_number(scan_get(s, "gesture_ms"));
	double last_ms = span_number(scan_get(s, "last_visual_change_ms"));
	if (isnan(client_ms))
		client_ms = fmax(gesture_ms, 0) + fmax(last_ms, 0);
	return client_ms / 1000;
}
