/* visual.h: how soon a person saw what was to come, from a film's frames. */
#ifndef VISUAL_H
#define VISUAL_H

#include "json/scan.h"

struct visual {
	double speed_index_s;		/* the mean time at which what is to be seen is seen */
	double complete_s[3];		/* 85, 95 and 99 % of it; NaN: never */
};
/* Keeps a `film` record's frames until the next one, or visual_forget(). */
void visual_take(struct scan *film);
void visual_forget(void);
/* Times from from_t (unix seconds), when nothing had been seen yet; all NaN
 * without a film. */
struct visual visual_of(double from_t);

#endif
