/* speed_index.h: how early a person saw the output, from the frames of a film. */
#pragma once

#include "base/buf.h"
#include "json/scan.h"

struct speed_index {
	double speed_index_s;		/* the mean time at which its parts became visible */
	double complete_s[3];		/* when 85, 95 and 99 % were visible; NaN: never */
};
/* Stores the frames of a `film` record until the next one, or speed_index_forget(). */
void speed_index_read(struct scan *film);
void speed_index_forget(void);
/* Times from from_t (unix seconds), when nothing was visible yet; all NaN without a film. */
struct speed_index speed_index_of(double from_t);
/* Adds the member "frames": the few of them that show how the output appeared; null without. */
void speed_index_put_frames(struct buf *, double from_t);
