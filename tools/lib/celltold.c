/* celltold.c: the numbers of cells that stand beside a graph's curves. */
#include "cellchart.h"

#include <math.h>
#include <string.h>

double
usage_of(const struct ran_cell *cell, size_t metric, enum role r)
{
	const struct metric *m = &metrics[metric];
	const char *member = r == R_MACHINE ? m->is & SUM ? m->machine : NULL : m->usage;
	if (!member || r >= R_GPU)
		return NAN;
	const json_t *v = json_object_get(json_object_get(cell->usage, role_names[r]), member);
	return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

/* How far apart the two readings are of which its usage is the difference: what
 * it used while the viewer came to rest counts there too. */
double
usage_time(const struct ran_cell *cell)
{
	double s = json_number_value(json_object_get(json_object_get(cell->usage, "machine"), "elapsed_s"));
	return s > 0 ? s : cell->taken_s;
}

bool
is_sampled(const struct view *v, const struct ran_cell *cell, size_t metric, enum role r)
{
	return track_count(&v->tracks->v[metric][r], cell->start_t, cell->start_t + cell->taken_s) >= v->min_samples;
}

struct over
seen_in(const struct view *v, const struct ran_cell *cell, size_t metric, enum role r)
{
	const struct track *tr = &v->tracks->v[metric][r];
	struct over all = {0, 0, 0};
	if (cell)
		return track_over(tr, &metrics[metric], cell->start_t, cell->start_t + cell->taken_s);
	if (!v->n)
		return track_over(tr, &metrics[metric], v->tracks->first_t, v->tracks->last_t);
	for (size_t i = 0; i < v->n; i++) {
		struct over o = seen_in(v, v->cells[i], metric, r);
		all.sum += o.sum;
		all.most = fmax(all.most, o.most);
		all.time_s += o.time_s;
	}
	return all;
}

/* What samples say of the mean; NaN: there is none. */
static double
mean_in(const struct view *v, size_t metric, enum role r, struct over seen)
{
	const struct track *tr = &v->tracks->v[metric][r];
	struct over whole = {0, 0, 0};
	for (size_t i = 0; i < v->n; i++) {
		const struct ran_cell *cell = v->cells[i];
		struct over o = track_whole(tr, &metrics[metric], cell->start_t, cell->start_t + cell->taken_s);
		whole.sum += o.sum;
		whole.time_s += o.time_s;
	}
	/* A cell shorter than the time between two samples may have no middle. */
	if (!(whole.time_s > 0))
		whole = seen;
	return whole.time_s > 0 ? whole.sum / whole.time_s : (double)NAN;
}

/* What was seen, by the cells' own word; time_s 0: one of them was told nothing. */
static struct over
told_in(const struct view *v, size_t metric, enum role r)
{
	struct over all = {0, 0, 0};
	bool known = v->n > 0;
	for (size_t i = 0; i < v->n; i++) {
		double value = usage_of(v->cells[i], metric, r);
		known &= isfinite(value);
		all.sum += value;
		all.most = fmax(all.most, value);
		all.time_s += usage_time(v->cells[i]);
	}
	if (!known)
		all.time_s = 0;
	return all;
}

static bool
all_sampled(const struct view *v, size_t metric, enum role r)
{
	for (size_t i = 0; i < v->n; i++)
		if (!is_sampled(v, v->cells[i], metric, r))
			return false;
	return true;
}

/* Counts are whole. */
static void
put_value(struct buf *b, const struct metric *m, double v)
{
	if (m->is & (PERCENT | BYTES) || strcmp(m->unit, "W") == 0 || v != floor(v))
		chart_amount(b, v, m->is & BYTES);
	else
		buf_addf(b, "%.0f", v);
}

static void
put_most(struct buf *b, const struct metric *m, double most, bool exact)
{
	buf_addf(b, exact ? "peak " : "at most ");
	put_value(b, m, most);
	buf_addf(b, "%s", m->is & PERCENT ? " %" : strcmp(m->unit, "W") == 0 ? " W" : "");
}

/* The sum is the cells' own, as exact as it gets; the mean is of the samples, as
 * in cellmetrics, or where these are few of the sum over the time between readings. */
char *
tell(const struct view *v, size_t metric, enum role r)
{
	const struct metric *m = &metrics[metric];
	struct over told = told_in(v, metric, r), seen = seen_in(v, NULL, metric, r);
	struct buf b = {0};
	bool own = told.time_s > 0;
	if (!own && !(seen.time_s > 0))
		return NULL;
	double sum = own ? told.sum : seen.sum / m->scale;
	double mean = seen.time_s > 0 && (!own || all_sampled(v, metric, r)) ? mean_in(v, metric, r, seen) : m->scale * told.sum / told.time_s;
	if (!(m->is & SUM)) {
		put_most(&b, m, fmax(seen.most, told.most), m->is & PEAK && own);
		return b.p;
	}
	bool counted = strcmp(m->unit, "a second") == 0;
	put_value(&b, m, counted ? round(sum) : sum);	/* of a sample that a cell's end cuts, a part */
	if (counted)
		buf_addf(&b, " in all");
	if (m->is & PERCENT || strcmp(m->unit, "W") == 0) {
		buf_addf(&b, m->is & PERCENT ? " s, mean " : " J, mean ");
		chart_amount(&b, mean, false);
		buf_addf(&b, m->is & PERCENT ? " %%" : " W");
	}
	return b.p;
}
