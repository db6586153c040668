/* track.h: what a run record's samples say of one quantity of one role. */
#ifndef TRACK_H
#define TRACK_H

#include "chart.h"
#include "scan.h"

/* What a curve is of: a role of the record, a GPU, or one more watched process. */
enum { MOST_GPUS = 8, MOST_MORE = 7 };
enum role { R_KERNEL, R_BROWSER, R_SERVER, R_PROCESS, R_MACHINE, R_GPU, R_MORE = R_GPU + MOST_GPUS, ROLES = R_MORE + MOST_MORE };
extern const char *const role_names[R_GPU];

enum { RATE = 1, BYTES = 2, PERCENT = 4, OF_GPU = 8, SUM = 16, PEAK = 32, USUAL = 64, OF_USER = 128 };
struct metric {
	const char *key, *also;	/* its name, and the one that JUmPER's users know */
	const char *title, *unit;
	int is;	/* RATE: from a counter.  SUM, PEAK: what a cell's usage has.  OF_USER: GPUs tell it of each process too */
	double scale;
	const char *process, *machine;	/* members of samples; NULL: none */
	const char *usage;	/* member of a cell's usage */
};
extern const struct metric metrics[];
enum { METRICS = 25 };

struct point {
	double t, v;	/* v NaN: the curve is interrupted */
};
struct track {
	struct point *p;
	size_t n, cap;
};
/* A piece of time that is shown, beginning at `at` on the axis. */
struct stretch {
	double from_t, to_t, at;
};
struct tracks {
	bool wanted[METRICS], role[R_GPU];
	bool kernel_here;	/* on the clock that samples have */
	struct track v[METRICS][ROLES];
	double pid[ROLES];	/* NaN: not known */
	char *why_not[R_GPU];	/* no process of that role, and why */
	char *gpu_reason, *energy_reason, *energy_method;
	double first_t, last_t;
	size_t samples;
};
void tracks_start(struct tracks *);
void tracks_clear(struct tracks *);	/* keeps what is wanted */
bool tracks_take(struct tracks *, struct scan *);	/* false: no watch, no sample */
/* How many readings lie in that time. */
size_t track_count(const struct track *, double from_t, double to_t);
/* What is known of that time: the integral, the highest, and how long it lasts. */
struct over {
	double sum, most, time_s;
};
struct over track_over(const struct track *, const struct metric *, double from_t, double to_t);
/* The same of whole intervals between two readings, those with their middle in that
 * time, as cellmetrics has them. */
struct over track_whole(const struct track *, const struct metric *, double from_t, double to_t);
/* The columns of the axis from `from` to `to`. */
struct bin *track_bins(const struct track *, const struct metric *, const struct stretch *, size_t stretches,
    double from, double to, size_t bins);

#endif
