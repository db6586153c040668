/* interaction_text.c: how an interaction was answered, in words and numbers. */
#include "metric/interaction_text.h"
#include "base/nbscope.h"
#include "metric/blocking_script.h"
#include "metric/phase.h"
#include "text/unit.h"

#include <math.h>

/* The thresholds of the rules in nbscope-metrics(7). */
#define AT_ONCE_S 0.1	/* a click or a key is no movement, although it is pressed and released */
#define PHASE_SHARE 0.25	/* of the time */
#define BLOCKED_S 0.05

/* ", 240 ms of it in the kernel"; of a movement "; 960 ms of 1.200 s in the kernel". */
static void
add_longest_phase(struct buf *b, const double *v, double time_s, bool moves)
{
	const struct interaction_phase *longest = NULL;
	for (size_t i = 0; i < N_INTERACTION_PHASES; i++) {
		const struct interaction_phase *k = &interaction_phases[i];
		if (k->where && v[k->column] >= PHASE_SHARE * time_s &&
		    (!longest || v[k->column] > v[longest->column]))
			longest = k;
	}
	if (longest && moves)
		buf_addf(b, "; %s of %s %s", unit_time(v[longest->column]).p,
		    unit_time(time_s).p, longest->where);
	else if (longest)
		buf_addf(b, ", %s of it %s", unit_time(v[longest->column]).p, longest->where);
}

/* Something that follows the pointer. */
static void
add_movement(struct buf *b, const double *v)
{
	const char *between = "";
	if (v[M_behind_max_s] >= 0) {
		buf_addf(b, "is up to %s behind the pointer", unit_time(v[M_behind_max_s]).p);
		between = ", ";
	}
	if (v[M_frames_shown] >= 0 && v[M_frames_possible] > 0) {
		buf_addf(b, "%sshows %.0f of %.0f frames", between, v[M_frames_shown],
		    v[M_frames_possible]);
		between = ", ";
	}
	if (v[M_last_visual_change_s] >= 0)
		buf_addf(b, "%sends %s after the last input", between,
		    unit_time(v[M_last_visual_change_s]).p);
}

const char *
interaction_text(const double *v, struct span scripts)
{
	static struct buf b;
	double time_s = v[M_client_execution_time_metric], gesture_s = v[M_gesture_s];
	if (isnan(time_s))
		time_s = gesture_s + v[M_last_visual_change_s];
	b.n = 0;
	if (isnan(v[M_first_visual_change_s]))
		return gesture_s >= 0 ? "changes nothing that can be seen" : NULL;
	bool moves = gesture_s >= AT_ONCE_S;
	if (moves)
		add_movement(&b, v);
	else if (time_s >= 0)
		buf_addf(&b, "answers after %s", unit_time(time_s).p);
	if (!b.n)
		return NULL;
	add_longest_phase(&b, v, time_s, moves);
	double blocked_s = v[M_total_blocking_time_s];
	char *script = blocked_s >= BLOCKED_S ? blocking_script(scripts, 1000 * blocked_s) : NULL;
	if (blocked_s >= BLOCKED_S)
		buf_addf(&b, "; the browser's main thread was blocked for %s%s%s",
		    unit_time(blocked_s).p, script ? ", mostly by " : "", script ? script : "");
	free(script);
	return b.p;
}
