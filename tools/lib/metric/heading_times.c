/* heading_times.c: the time of cells by the headings of their notebooks. */
#include "metric/heading_times.h"
#include "base/die.h"

static struct heading_time *
find_heading(struct heading_times *h, const char *heading)
{
	for (size_t i = 0; i < h->n; i++)
		if (strcmp(h->v[i].heading, heading) == 0)
			return &h->v[i];
	h->v = xgrow(h->v, h->n, sizeof *h->v);
	h->v[h->n] = (struct heading_time){.heading = xstrdup(heading)};
	return &h->v[h->n++];
}

void
heading_times_cell(struct heading_times *h, const char *heading, double client_s)
{
	struct heading_time *t = find_heading(h, heading ? heading : "");
	t->client_s += client_s;
	t->cells++;
}

void
heading_times_add(struct heading_times *h, const struct heading_times *more)
{
	for (size_t i = 0; i < more->n; i++) {
		struct heading_time *t = find_heading(h, more->v[i].heading);
		t->client_s += more->v[i].client_s;
		t->cells += more->v[i].cells;
	}
}

double
heading_times_sum(const struct heading_times *h)
{
	double sum = 0;
	for (size_t i = 0; i < h->n; i++)
		sum += h->v[i].client_s;
	return sum;
}

void
heading_times_free(struct heading_times *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->v[i].heading);
	free(h->v);
	*h = (struct heading_times){0};
}
