/* placeend.h: for place.c, which puts there what placeend.c takes away. */
#ifndef PLACEEND_H
#define PLACEEND_H

#include "labpage.h"

/* Starts the process that takes all away if this one is killed. */
void place_guard(struct place *);
/* Tells it the session that is ours by now. */
void place_tell_guard(const struct place *);
/* A folder that is about to be put there is taken away with all that will be in it. */
void place_made(struct place *, const char *path);

#endif
