/* earlier.c: runs that there are.
 * A run's file may be long; its first line says what was run, its last line how
 * long it took: only its two ends are read. */
#include "plan.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { END_BYTES = 1 << 16, FIRST_LINE_LIMIT_BYTES = 1 << 20 };
/* A longer pause lay between two sweeps, not between two runs of one. */
static const double longest_pause_s = 60;

/* ---- the two ends of a file ---- */

/* The record of this kind in a part of a file: the first, or the last. */
static json_t *
find_record(const char *text, size_t n, const char *opening, bool last)
{
	json_t *found = NULL;
	size_t wanted = strlen(opening);
	for (size_t at = 0; at < n; ) {
		const char *line = text + at, *newline = memchr(line, '\n', n - at);
		size_t len = newline ? (size_t)(newline - line) : n - at;
		if (len >= wanted && memcmp(line, opening, wanted) == 0) {
			json_t *record = json_loadb(line, len, JSON_REJECT_DUPLICATES, NULL);
			if (record) {
				json_decref(found);
				found = record;
			}
			if (found && !last)
				return found;
		}
		at += len + 1;
	}
	return found;
}

static json_t *
read_end(int fd, off_t from, size_t most, const char *opening, bool last)
{
	char *text = xmalloc(most + 1);
	ssize_t n = pread(fd, text, most, from);
	json_t *record = n > 0 ? find_record(text, (size_t)n, opening, last) : NULL;
	free(text);
	return record;
}

/* ---- one run ---- */

static size_t
factor_of(struct earlier *e, const char *name)
{
	for (size_t i = 0; i < e->n_params; i++)
		if (strcmp(e->params[i], name) == 0)
			return i;
	if (e->n_params < MOST_FACTORS)
		e->params[e->n_params++] = xstrdup(name);
	return e->n_params - 1;
}

static void
note_params(struct earlier *e, struct past *p, json_t *params)
{
	const char *name;
	json_t *v;
	json_object_foreach(params, name, v)
		if (json_is_number(v)) {
			size_t i = factor_of(e, name);
			if (strcmp(e->params[i], name) == 0)
				p->factors[i] = json_number_value(v);
		}
}

static bool
runs_to_the_end(const char *status)
{
	static const char *const whole[] = {"completed", "not_settled", "no_viewer"};
	for (size_t i = 0; i < COUNT(whole); i++)
		if (strcmp(status, whole[i]) == 0)
			return true;
	return false;
}

static void
note_end(struct earlier *e, struct past *p, struct repetition *r, const json_t *end)
{
	const char *status = json_string_value(json_object_get(end, "status"));
	double s = json_number_value(json_object_get(end, "wall_ms")) / 1000, t = json_number_value(json_object_get(end, "t"));
	r->skipped = status && strcmp(status, "skipped") == 0;
	if (!status || r->skipped || !(s > 0))
		return;
	if (runs_to_the_end(status)) {
		p->whole_s += s;
		p->n_whole++;
	} else {
		p->early_s += s;
		p->n_early++;
	}
	if ((e->n_spans & (e->n_spans - 1)) == 0)
		e->spans = xrealloc(e->spans, (e->n_spans ? 2 * e->n_spans : 1) * sizeof *e->spans);
	e->spans[e->n_spans++] = (struct span_s){t - s, t};
}

static struct past *
past_of(struct earlier *e, const char *name)
{
	json_t *at = json_object_get(e->by_name, name);
	if (at)
		return &e->v[json_integer_value(at)];
	if ((e->n & (e->n - 1)) == 0)
		e->v = xrealloc(e->v, (e->n ? 2 * e->n : 1) * sizeof *e->v);
	json_object_set_new(e->by_name, name, json_integer((json_int_t)e->n));
	struct past *p = &e->v[e->n++];
	*p = (struct past){.name = xstrdup(name)};
	for (size_t i = 0; i < MOST_FACTORS; i++)
		p->factors[i] = (double)NAN;
	return p;
}

/* "NAME@3.jsonl" is NAME's third repetition.  0: it is no run's file. */
static long
split_name(char *file)
{
	size_t n = strlen(file);
	if (n < 7 || file[0] == '.' || strcmp(file + n - 6, ".jsonl") != 0)
		return 0;
	file[n - 6] = '\0';
	char *at = strrchr(file, '@'), *end;
	if (!at)
		return 1;
	long k = strtol(at + 1, &end, 10);
	*at = '\0';
	return *end || k < 2 ? 0 : k;
}

static void
xread_run(struct earlier *e, int dir, const char *dir_name, const char *file)
{
	char *name = xstrdup(file);
	long k = split_name(name);
	struct stat st;
	int fd = k ? openat(dir, file, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	if (k && (fd < 0 || fstat(fd, &st) != 0))
		die(ST_SYSTEM, "cannot open '%s/%s':", dir_name, file);
	if (fd >= 0 && S_ISREG(st.st_mode)) {
		json_t *end = read_end(fd, st.st_size > END_BYTES ? st.st_size - END_BYTES : 0, END_BYTES, "{\"type\":\"run_end\",", true);
		json_t *run = read_end(fd, 0, END_BYTES, "{\"type\":\"run\",", false);
		if (!run && st.st_size > END_BYTES)
			run = read_end(fd, 0, FIRST_LINE_LIMIT_BYTES, "{\"type\":\"run\",", false);
		struct past *p = past_of(e, name);
		p->repetitions = xrealloc(p->repetitions, (p->n_repetitions + 1) * sizeof *p->repetitions);
		struct repetition *r = &p->repetitions[p->n_repetitions++];
		*r = (struct repetition){.k = k, .made = st.st_mtim};
		if (end)
			note_end(e, p, r, end);
		else
			warn("'%s/%s' has no run_end: its time is not known", dir_name, file);
		note_params(e, p, json_object_get(run, "params"));
		json_decref(run);
		json_decref(end);
	}
	if (fd >= 0)
		close(fd);
	free(name);
}

/* ---- all runs ---- */

static int
by_start(const void *a, const void *b)
{
	double x = ((const struct span_s *)a)->start, y = ((const struct span_s *)b)->start;
	return (x > y) - (x < y);
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The median pause between runs that followed each other; 0 if none did. */
static double
usual_pause(struct earlier *e)
{
	double *pauses = xmalloc((e->n_spans + 1) * sizeof *pauses), median = 0;
	size_t n = 0;
	if (e->n_spans)
		qsort(e->spans, e->n_spans, sizeof *e->spans, by_start);
	for (size_t i = 1; i < e->n_spans; i++) {
		double s = e->spans[i].start - e->spans[i - 1].end;
		if (s >= 0 && s <= longest_pause_s)
			pauses[n++] = s;
	}
	if (n) {
		qsort(pauses, n, sizeof *pauses, by_size);
		median = (pauses[(n - 1) / 2] + pauses[n / 2]) / 2;
	}
	free(pauses);
	return median;
}

void
xread_earlier(struct earlier *e, const char *dir)
{
	*e = (struct earlier){.by_name = json_object()};
	DIR *d = dir ? xopen_folder(dir) : NULL;
	for (struct dirent *f; d && (f = readdir(d)); )
		xread_run(e, dirfd(d), dir, f->d_name);
	if (d)
		closedir(d);
	e->between_s = usual_pause(e);
}

const struct past *
find_past(const struct earlier *e, const char *name)
{
	json_t *at = json_object_get(e->by_name, name);
	return at ? &e->v[json_integer_value(at)] : NULL;
}

bool
is_newer(struct timespec a, struct timespec than)
{
	return a.tv_sec > than.tv_sec || (a.tv_sec == than.tv_sec && a.tv_nsec > than.tv_nsec);
}
