/* past_runs.c: how long past runs took, and with which parameters. */
#include "past_runs.h"
#include "base/die.h"
#include "base/num.h"
#include "run/run_ends.h"
#include "run/run_state.h"
#include "stats/sample.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A longer pause was between two sweeps, not between two runs of one. */
static const double max_pause_s = 60;

/* ---- one run ---- */

static struct past_notebook *
add_notebook(struct past_runs *r, const char *name)
{
	json_t *number = json_object_get(r->by_name, name);
	if (number)
		return &r->list[json_integer_value(number)];
	if (!r->by_name)
		r->by_name = json_object();
	json_object_set_new(r->by_name, name, json_integer((json_int_t)r->n));
	struct past_notebook *p = XAPPEND(r->list, r->n);
	*p = (struct past_notebook){0};
	for (size_t i = 0; i < MAX_FACTORS; i++)
		p->factors[i] = (double)NAN;
	return p;
}

static void
add_params(struct past_runs *r, struct past_notebook *p, json_t *params)
{
	const char *name;
	json_t *v;
	json_object_foreach(params, name, v) {
		size_t i = 0;
		while (i < r->n_factors && strcmp(r->factors[i], name) != 0)
			i++;
		if (!json_is_number(v) || i == MAX_FACTORS)
			continue;
		if (i == r->n_factors)
			r->factors[r->n_factors++] = xstrdup(name);
		p->factors[i] = json_number_value(v);
	}
}

static void
add_times(struct past_runs *r, struct past_notebook *p, const struct run_ends *ends)
{
	double s = ends->run.end.wall_s, t = ends->run.end.t;
	enum cell_status status = ends->run.end.status;
	if (status == CELL_SKIPPED || status == CELL_STATUSES || !(s > 0))
		return;
	bool complete = cell_status_continues(status);
	*(complete ? &p->complete_s : &p->early_s) += s;
	(*(complete ? &p->n_complete : &p->n_early))++;
	*XAPPEND(r->spans, r->n_spans) = (struct run_span){t - s, t};
	const json_t *settings = json_object_get(ends->made_from, "settings");
	const char *page = json_string_value(json_object_get(settings, "page"));
	bool kept = page && strcmp(page, "reuse") == 0;
	if (!kept && ends->run.end.loading_s > 0) {
		r->loading_s += ends->run.end.loading_s;
		r->n_loading++;
	}
}

/* Stale runs of a notebook count only as long as no other is known. */
static bool
may_count(struct past_notebook *p, bool stale)
{
	bool known = p->n_complete || p->n_early;
	if (known && p->stale && !stale) {
		p->complete_s = p->early_s = 0;
		p->n_complete = p->n_early = 0;
	}
	if (known && stale && !p->stale)
		return false;
	p->stale = stale;
	return true;
}

static void
xread_run(struct past_runs *r, const char *name, const char *path, bool stale)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) != 0)
		die(ST_SYSTEM, "cannot open '%s':", path);
	if (S_ISREG(st.st_mode)) {
		struct run_ends ends;
		struct past_notebook *p = add_notebook(r, name);
		run_ends_read(&ends, fd, st.st_size);
		if (!ends.ended)
			warn("'%s' has no run_end: its duration is unknown", path);
		else if (may_count(p, stale))
			add_times(r, p, &ends);
		add_params(r, p, ends.params);
		run_ends_free(&ends);
	}
	close(fd);
}

/* ---- all runs ---- */

/* The median pause between runs that followed each other; 0 if none did. */
void
past_runs_finish(struct past_runs *r)
{
	double *pauses = xmalloc((r->n_spans + 1) * sizeof *pauses);
	size_t n = 0;
	if (r->n_spans)
		qsort(r->spans, r->n_spans, sizeof *r->spans, num_compare);	/* by start */
	for (size_t i = 1; i < r->n_spans; i++) {
		double s = r->spans[i].start - r->spans[i - 1].end;
		if (s >= 0 && s <= max_pause_s)
			pauses[n++] = s;
	}
	n = sample_sort(pauses, n);
	r->between_s = n ? sample_median(pauses, n) : 0;
	r->loading_s = r->n_loading ? r->loading_s / (double)r->n_loading : (double)NAN;
	free(pauses);
}

void
xpast_runs_add(struct past_runs *r, struct scan *s)
{
	enum run_state state = run_state_of(s);
	char *name = scan_string(s, "name"), *path = scan_string(s, "run");
	/* A film is of a run that is slower. */
	bool film = span_is(scan_get(s, "film"), "true");
	if (name && path && !film && run_state_is_whole(state))
		xread_run(r, name, path, !run_state_counts(state));
	free(name);
	free(path);
}

const struct past_notebook *
past_runs_find(const struct past_runs *r, const char *name)
{
	json_t *number = json_object_get(r->by_name, name);
	return number ? &r->list[json_integer_value(number)] : NULL;
}

double
past_runs_mean_s(const struct past_notebook *p)
{
	if (p->n_complete)
		return p->complete_s / (double)p->n_complete;
	return p->early_s / (double)p->n_early;
}
