/* processor_series.c: how busy each processor was, from a run's samples of the machine. */
#include "run/processor_series.h"
#include "base/die.h"

const struct series_def processor_series_def = {"processors", "processors", "% busy",
	SERIES_COUNTER | SERIES_PERCENT | SERIES_PROCESSORS, NULL, "processor_busy_s"};

static struct time_series *
series_of(struct processor_series *p, long id)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->ids[i] == id)
			return &p->v[i];
	p->v = xrealloc(p->v, (p->n + 1) * sizeof *p->v);
	p->ids = xrealloc(p->ids, (p->n + 1) * sizeof *p->ids);
	p->v[p->n] = (struct time_series){0};
	p->ids[p->n] = id;
	return &p->v[p->n++];
}

void
processor_readings(struct scan *sample, void (*each)(void *, long, double), void *arg)
{
	struct span text = scan_get(sample, processor_series_def.machine);
	json_t *all = span_null(text) ? NULL : span_json(text), *busy_s;
	json_t *ids = all ? span_json(scan_get(sample, "processor_ids")) : NULL;
	size_t i;
	json_array_foreach(all, i, busy_s)
		each(arg, (long)json_integer_value(json_array_get(ids, i)),
		    json_number_value(busy_s));
	json_decref(ids);
	json_decref(all);
}

struct adding {
	struct processor_series *to;
	double t;
};

static void
add_reading(void *arg, long id, double busy_s)
{
	const struct adding *a = arg;
	series_add(series_of(a->to, id), &processor_series_def, a->t, busy_s);
}

void
processor_series_read(struct processor_series *p, struct scan *sample, double t)
{
	processor_readings(sample, add_reading, &(struct adding){p, t});
}

void
processor_series_drop_before(struct processor_series *p, double t)
{
	for (size_t i = 0; i < p->n; i++)
		series_drop_before(&p->v[i], t);
}

void
processor_series_clear(struct processor_series *p)
{
	for (size_t i = 0; i < p->n; i++)
		series_clear(&p->v[i]);
	free(p->v);
	free(p->ids);
	*p = (struct processor_series){0};
}
