/* report_flame.h: a flame graph of a cell. */
#ifndef REPORT_FLAME_H
#define REPORT_FLAME_H

#include "base/buf.h"
#include "profile/profile_fold.h"

/* As SVG that requires no script, from the stacks or, without them, from the functions, where it
 * is estimated; nothing if there are neither. */
void report_flame(struct buf *, const struct profile_cell *);

#endif
