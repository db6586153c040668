/* speed_index.h: how soon a person saw what was to come, from a film's frames. */
#ifndef SPEED_INDEX_H
#define SPEED_INDEX_H

#include "json/scan.h"

struct speed_index {
	double speed_index_s;		/* the mean time at which what is to be seen is seen */
	double complete_s[3];		/* 85, 95 and 99 % of it; NaN: never */
};
/* Keeps a `film` record's frames until the next one, or speed_index_forget(). */
void speed_index_read(struct scan *film);
void speed_index_forget(void);
/* Times from from_t (unix seconds), when nothing had been seen yet; all NaN
 * without a film. */
struct speed_index speed_index_of(double from_t);

#endif
