/* past_runs.c: how long past runs took, and with which parameters. */
#include "past_runs.h"
#include "base/die.h"
#include "base/num.h"
#include "disk_use.h"
#include "run/cell_status.h"
#include "run/run_ends.h"
#include "stats/sample.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
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
	r->list = xgrow(r->list, r->n, &r->cap, sizeof *r->list);
	json_object_set_new(r->by_name, name, json_integer((json_int_t)r->n));
	struct past_notebook *p = &r->list[r->n++];
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
add_times(struct past_runs *r, struct past_notebook *p, const json_t *end)
{
	const char *word = json_string_value(json_object_get(end, "status"));
	enum cell_status status = word ? cell_status_of(word) : CELL_SKIPPED;
	double s = json_number_value(json_object_get(end, "wall_ms")) / 1000;
	double t = json_number_value(json_object_get(end, "t"));
	if (status == CELL_SKIPPED || !(s > 0))
		return;
	bool complete = cell_status_continues(status);
	*(complete ? &p->complete_s : &p->early_s) += s;
	(*(complete ? &p->n_complete : &p->n_early))++;
	r->spans = xgrow(r->spans, r->n_spans, &r->cap_spans, sizeof *r->spans);
	r->spans[r->n_spans++] = (struct run_span){t - s, t};
}

/* "NAME.jsonl", or "NAME@3.jsonl", is a run of NAME; NULL: not a run. */
static char *
notebook_name(const char *file)
{
	size_t n = strlen(file);
	if (n < 7 || file[0] == '.' || strcmp(file + n - 6, ".jsonl") != 0)
		return NULL;
	char *name = xasprintf("%.*s", (int)n - 6, file), *at = strrchr(name, '@'), *end;
	long k = at ? strtol(at + 1, &end, 10) : 2;
	if (at && (*end || k < 2)) {
		free(name);
		return NULL;
	}
	if (at)
		*at = '\0';
	return name;
}

static void
xread_run(struct past_runs *r, int dir, const char *dir_name, const char *file)
{
	char *name = notebook_name(file);
	struct stat st;
	int fd = name ? openat(dir, file, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	if (name && (fd < 0 || fstat(fd, &st) != 0))
		die(ST_SYSTEM, "cannot open '%s/%s':", dir_name, file);
	if (fd >= 0 && S_ISREG(st.st_mode)) {
		struct run_ends ends;
		struct past_notebook *p = add_notebook(r, name);
		run_ends_read(&ends, fd, st.st_size);
		if (ends.end)
			add_times(r, p, ends.end);
		else
			warn("'%s/%s' has no run_end: its duration is unknown", dir_name, file);
		add_params(r, p, json_object_get(ends.run, "params"));
		run_ends_free(&ends);
	}
	if (fd >= 0)
		close(fd);
	free(name);
}

/* ---- all runs ---- */

/* The median pause between runs that followed each other; 0 if none did. */
static double
median_pause(struct past_runs *r)
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
	double median = n ? sample_median(pauses, n) : 0;
	free(pauses);
	return median;
}

void
xpast_runs_read(struct past_runs *r, const char *dir)
{
	*r = (struct past_runs){.by_name = json_object()};
	DIR *d = dir ? xdisk_open_folder(dir) : NULL;
	for (struct dirent *f; d && (f = readdir(d)); )
		xread_run(r, dirfd(d), dir, f->d_name);
	if (d)
		closedir(d);
	r->between_s = median_pause(r);
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
