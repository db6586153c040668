/* filmstrip.h: pictures of a cell while it runs.  Filming needs a run of its own, because it
 * disturbs every time. */
#pragma once

#include "browser/wd.h"
#include "notebook/notebook.h"

struct filmstrip;
/* Frames are written to dir/cell-003/0001.png ... .  NULL: see w->code. */
struct filmstrip *filmstrip_open(struct wd *, const char *dir);
/* The first frame, from before the press. */
void filmstrip_begin(struct filmstrip *, const struct notebook_cell *);
/* One more frame, if there is room for it. */
void filmstrip_add_frame(struct filmstrip *);
/* A `film` record: time, file and visual progress of each frame (progress is null if the cell
 * changed nothing); NULL: there is no frame. */
json_t *filmstrip_end(struct filmstrip *, bool changed);
