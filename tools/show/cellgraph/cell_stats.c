/* cell_stats.c: the numbers of cells that are shown next to a graph's curves. */
#include "cell_stats.h"
#include "json/json_value.h"

#include <stdio.h>

double
cell_stats_usage(const struct run_cell *cell, size_t metric, size_t slot)
{
	const struct series_def *def = &metric_series[metric];
	const char *member = slot == ROLE_MACHINE ? def->machine : def->process;
	char name[64];
	if (slot >= ROLES || !member || !(def->flags & (SERIES_SUM | SERIES_PEAK)))
		return NAN;
	snprintf(name, sizeof name, "%s%s", def->flags & SERIES_PEAK ? "peak_" : "", member);
	const json_t *usage = json_object_get(cell->record, "usage");
	return json_value_real_at(json_object_get(usage, role_word((enum role)slot)), name);
}

/* The second reading comes when the output has settled, so it is longer than the cell. */
double
cell_usage_s(const struct run_cell *cell)
{
	const json_t *usage = json_object_get(cell->record, "usage");
	double s = json_value_real_at(json_object_get(usage, role_word(ROLE_MACHINE)), "elapsed_s");
	return s > 0 ? s : cell->end_t - cell->turn_t;
}

bool
cell_stats_has_samples(const struct view *v, const struct run_cell *cell, size_t metric,
    size_t slot)
{
	return series_readings(&v->series->v[metric][slot], cell->turn_t, cell->end_t).n >=
	    v->min_samples;
}

double
cell_shown_from(const struct view *v, const struct run_cell *cell)
{
	return v->n > 1 ? cell->turn_t : cell->begin_t;
}

double
cell_shown_s(const struct view *v, const struct run_cell *cell)
{
	return cell->end_t - cell_shown_from(v, cell);
}

static void
add_stats(struct series_stats *all, struct series_stats one)
{
	all->sum += one.sum;
	all->max = fmax(all->max, one.max);
	all->time_s += one.time_s;
}

/* The statistics of all cells that are shown. */
static struct series_stats
stats_by(const struct view *v, size_t metric, size_t slot, enum series_rule rule)
{
	const struct time_series *series = &v->series->v[metric][slot];
	struct series_stats all = {.max = NAN};
	for (size_t i = 0; i < v->n; i++)
		add_stats(&all, series_intervals(series, &metric_series[metric],
		    v->cells[i]->turn_t,
		    v->cells[i]->end_t, rule));
	return all;
}

struct series_stats
cell_stats_sampled(const struct view *v, const struct run_cell *cell, size_t metric, size_t slot)
{
	const struct time_series *series = &v->series->v[metric][slot];
	if (!cell && v->n)
		return stats_by(v, metric, slot, SERIES_CUT);
	return series_intervals(series, &metric_series[metric],
	    cell ? cell->turn_t : v->series->first_t,
	    cell ? cell->end_t : v->series->last_t, SERIES_CUT);
}

/* The mean by cellmetrics' rule; a cell shorter than the time between two samples may have no
 * interval's middle.  NaN: there is none. */
static double
mean_sampled(const struct view *v, size_t metric, size_t slot, struct series_stats cut)
{
	struct series_stats whole = stats_by(v, metric, slot, SERIES_MIDDLE);
	if (!(whole.time_s > 0))
		whole = cut;
	return whole.time_s > 0 ? whole.sum / whole.time_s : (double)NAN;
}

/* Those by the cells' own readings; time_s 0: one of them has none. */
static struct series_stats
stats_used(const struct view *v, size_t metric, size_t slot)
{
	struct series_stats all = {.max = NAN};
	bool known = v->n > 0;
	for (size_t i = 0; i < v->n; i++) {
		double value = cell_stats_usage(v->cells[i], metric, slot);
		known &= isfinite(value);
		add_stats(&all,
		    (struct series_stats){value, value, value, cell_usage_s(v->cells[i]), 1});
	}
	if (!known)
		all.time_s = 0;
	return all;
}

static bool
all_sampled(const struct view *v, size_t metric, size_t slot)
{
	for (size_t i = 0; i < v->n; i++)
		if (!cell_stats_has_samples(v, v->cells[i], metric, slot))
			return false;
	return true;
}

/* Counts are whole. */
static void
put_value(struct buf *b, const struct series_def *def, double v)
{
	bool amount = def->flags & (SERIES_PERCENT | SERIES_BYTES) || strcmp(def->unit, "W") == 0;
	if (amount || v != floor(v))
		chart_amount(b, v, def->flags & SERIES_BYTES);
	else
		buf_addf(b, "%.0f", v);
}

static void
put_max(struct buf *b, const struct series_def *def, double max, bool exact)
{
	buf_addf(b, exact ? "peak " : "at most ");
	put_value(b, def, max);
	buf_addf(b, "%s", def->flags & SERIES_PERCENT ? " %" : strcmp(def->unit, "W") == 0 ? " W"
	    : "");
}

/* The sum is that of the cells' own readings, which are exact; the mean that of samples, as in
 * cellmetrics, or where these are few the sum by the time between the readings. */
char *
cell_stats_text(const struct view *v, size_t metric, size_t slot)
{
	const struct series_def *def = &metric_series[metric];
	struct series_stats used = stats_used(v, metric, slot);
	struct series_stats seen = cell_stats_sampled(v, NULL, metric, slot);
	struct buf b = {0};
	bool own = used.time_s > 0;
	if (!own && !(seen.time_s > 0))
		return NULL;
	if (!(def->flags & SERIES_SUM)) {
		put_max(&b, def, fmax(0, fmax(seen.max, used.max)),
		    def->flags & SERIES_PEAK && own);
		return b.p;
	}
	double sum = own ? used.sum : seen.sum / series_scale(def);
	double mean = seen.time_s > 0 && (!own || all_sampled(v, metric, slot)) ?
	    mean_sampled(v, metric, slot, seen) : series_scale(def) * used.sum / used.time_s;
	bool counted = strcmp(def->unit, "per second") == 0;
	put_value(&b, def, counted ? round(sum) : sum);	/* an interval is cut at a cell's end */
	if (counted)
		buf_addf(&b, " in all");
	if (def->flags & SERIES_PERCENT || strcmp(def->unit, "W") == 0) {
		buf_addf(&b, def->flags & SERIES_PERCENT ? " s, mean " : " J, mean ");
		chart_amount(&b, mean, false);
		buf_addf(&b, def->flags & SERIES_PERCENT ? " %%" : " W");
	}
	return b.p;
}
