/* plan.h: what nbplan is made of, beside nbscope.h, whose rules hold here too.
 * A number that is not known is NaN. */
#ifndef PLAN_H
#define PLAN_H

#include "scan.h"

#include <dirent.h>
#include <time.h>

/* ---- machine.c: the memory there is -------------------------------------------- */

struct machine {
	double memory_bytes;	/* all of it, or what a control group allows */
	double available_bytes;	/* now; NaN: another machine is meant */
	const char *limited_by;	/* "machine", "cgroup" or "option" */
};
void xread_machine(struct machine *);

/* ---- earlier.c: runs that there are ------------------------------------------- */

enum { MOST_FACTORS = 32 };

/* All that is known of one notebook. */
struct past {
	char *name;
	struct repetition {
		long k;
		struct timespec made;
		bool skipped;
	} *repetitions;
	size_t n_repetitions;
	double whole_s, early_s;	/* sums: runs to the last cell, runs that ended before */
	size_t n_whole, n_early;
	double factors[MOST_FACTORS];	/* its numeric parameters' values */
};
struct earlier {
	struct past *v;
	size_t n;
	char *params[MOST_FACTORS];	/* the names of the factors */
	size_t n_params;
	double between_s;	/* from one run's end to the next one's start */
	/* private */
	json_t *by_name;
	struct span_s {
		double start, end;
	} *spans;
	size_t n_spans;
};
/* A folder that is not there has no runs. */
void xread_earlier(struct earlier *, const char *dir);
const struct past *find_past(const struct earlier *, const char *name);
bool is_newer(struct timespec, struct timespec than);

/* ---- disk.c: what files take, and what is free ------------------------------------ */

/* NULL where there is none. */
DIR *xopen_folder(const char *dir);
struct folder {
	size_t n;
	double mean_bytes;	/* on disk; NaN where n is 0 */
};
/* Files whose names end so; ending NULL: its folders, with what lies in them. */
struct folder measure_folder(const char *dir, const char *ending);
double file_bytes(const char *path);
/* What is free where `dir` is or will be. */
double free_bytes(const char *dir);

/* ---- fit.c: what a run will take -------------------------------------------------- */

enum { MOST_TERMS = 8 };

struct forecast {
	const struct earlier *earlier;
	size_t n;		/* notebooks that it is made from; 0: it knows nothing */
	bool early;		/* all of them ended early: it is too low */
	double mean_s, low_s, high_s;
	double least[MOST_FACTORS], most[MOST_FACTORS];	/* values that were run */
	/* s = constant * product of value^power, where n_terms > 0 */
	struct term {
		size_t factor;
		double power;
	} terms[MOST_TERMS];
	size_t n_terms;
	double log_constant, ratio_mean, ratio_low, ratio_high;
	double error_pct;	/* typical, each notebook foretold from the others */
};
void make_forecast(struct forecast *, const struct earlier *);
struct guess {
	double s, low_s, high_s;
	bool outside;	/* a parameter's value lies outside those that were run */
};
struct guess foretell(const struct forecast *, struct scan *params);

/* ---- beyond.c: what the combinations have in common that do not fit ------------------ */

struct beyond {
	struct beyond_param {	/* the need depends on it */
		const char *name;
		struct beyond_value *values;
		size_t n;
		json_t *by_text;
	} *params;
	size_t n_params;
	struct kind {	/* combinations alike in these parameters */
		size_t *values;	/* numbers of the params' values */
		double need;
		uint64_t skipped;
		bool told;
	} *kinds;
	size_t n_kinds;
	double have, least, most;	/* bytes: the machine's; of what is skipped */
	uint64_t skipped;
	bool any_fits;
	bool too_many;	/* more kinds than are kept: no telling */
	/* private */
	json_t *by_key;
	struct buf key;
};
void start_beyond(struct beyond *, double have);
void add_beyond_param(struct beyond *, const char *name);	/* borrowed */
void note_need(struct beyond *, struct scan *params, double need, bool skipped);
struct group {
	char *what;	/* "side=10000,100000" */
	uint64_t n;
	double least, most;
};
/* Returns how many, the largest first; a few at most. */
size_t group_beyond(struct beyond *, struct group **);

/* ---- planshow.c ----------------------------------------------------------------- */

struct plan {
	const char *label;
	char *usecase;		/* the first combination's */
	long repeat;
	uint64_t notebooks, up_to_date, to_run, skipped;
	uint64_t skipped_before;	/* recorded so, though they fit now */
	uint64_t runs;		/* of those to run, with their repetitions */
	uint64_t foretold, outside;	/* notebooks to run that never ran */
	double time_s, low_s, high_s;
	bool early;		/* some times are of runs that ended early */
	bool needs_known;	/* --memory was given */
	double peak_bytes;	/* the most that one to run needs */
	char *peak_name;
	double disk_bytes, disk_free_bytes;
	const char *disk_without;	/* what is not counted; NULL: nothing */
	const struct machine *machine;
	const struct forecast *forecast;
	struct beyond *beyond;
};
void show_plan(const struct plan *);
json_t *plan_json(const struct plan *);
/* "needs 41.6 GB of memory, this machine has 25.3 GB" */
char *beyond_reason(double need, double have);

#endif
