/* phase.h: the phases of a cell's time: which are shown, what they are called, and their colours,
 * which are the same in all pictures. */
#pragma once

#include "metric/metrics_record.h"

/* The phases in the order of time, which is that of all tables and pictures. */
enum phase {
	PHASE_DISPATCH,
	PHASE_QUEUE,
	PHASE_TRANSPORT,	/* instead of queue and delivery, where they cannot be separated */
	PHASE_KERNEL,
	PHASE_DELIVERY,
	PHASE_RENDER,
	N_PHASES,
};
struct phase_def {
	enum metric_id column;
	const char *name, *light, *dark;	/* colours on a light and on a dark ground */
	const char *means;
};
extern const struct phase_def phase_defs[N_PHASES];

/* The phases of an interaction, on the way from the person to the screen; those of a movement are
 * sums over its inputs. */
enum { N_INTERACTION_PHASES = 7 };
struct interaction_phase {
	enum metric_id column;
	const char *name, *where;	/* where: "240 ms of it in the kernel"; NULL: nowhere */
	const char *means;
	const char *light, *dark;	/* NULL: those of a cell's phase of this name */
};
extern const struct interaction_phase interaction_phases[N_INTERACTION_PHASES];

struct phase_times {
	double s[N_PHASES];	/* seconds; NaN: unknown */
	double handling_s;	/* part of render: the answer waited for the busy browser */
};
struct phase_times phase_spent(const struct metrics_record *);
/* Whether queue and delivery are known, or both are nothing. */
bool phase_is_separable(const struct phase_times *);
/* Whether the phase is shown if queue and delivery are separate, or if they are not. */
bool phase_is_shown(enum phase, bool separate);
/* The sum of the phases that are shown, unknown ones being 0. */
double phase_sum_s(const struct phase_times *, bool separate);
