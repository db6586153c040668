/* abturns.c: whether the runs of two labels were made by turns. */
#include "compare/compare_test.h"

#include <math.h>
#include <string.h>

/* What `make ab` noted of the two; NULL: nothing. */
static const json_t *
order_of(const struct measured *m, const char *base, const char *label)
{
	const json_t *order;
	size_t i;
	json_array_foreach(m->orders, i, order) {
		const char *a = json_string_value(json_object_get(order, "a")), *b = json_string_value(json_object_get(order, "b"));
		if (a && b && json_is_string(json_object_get(order, "order")) &&
		    ((strcmp(a, base) == 0 && strcmp(b, label) == 0) || (strcmp(a, label) == 0 && strcmp(b, base) == 0)))
			return order;
	}
	return NULL;
}

void
ab_turns(struct ab *ab, size_t label)
{
	const struct measured_label *x = &ab->m->label[ab->base], *y = &ab->m->label[label];
	double gap = fmax(y->t - x->t_last, x->t - y->t_last);
	struct ab_turns t = {.label = label, .order = order_of(ab->m, x->name, y->name), .apart_s = isnan(x->t) || isnan(y->t) ? (double)NAN : fmax(0, gap)};
	t.before = y->t < x->t;
	/* One run of each is apart, in whatever order. */
	t.told = x->runs > 1 && y->runs > 1 && (t.apart_s > 0 || t.order);
	ab->turns = xrealloc(ab->turns, (ab->turns_n + 1) * sizeof *ab->turns);
	ab->turns[ab->turns_n++] = t;
}
