/* film.h: a film of a cell, in a run of its own: taking it disturbs every time. */
#ifndef FILM_H
#define FILM_H

#include "labpage.h"

struct film;
/* Frames go to dir/cell-003/0001.png ... .  NULL: see w->code. */
struct film *film_open(struct wd *, const char *dir);
/* The first frame: what there was before the press. */
void film_begin(struct film *, const struct cell *);
/* One more, if there is room for it. */
void film_frame(struct film *);
/* A `film` record: each frame's time, file and visual progress (null where the
 * cell drew nothing); NULL: no frame. */
json_t *film_end(struct film *, bool drawn);
void film_close(struct film *);

#endif
