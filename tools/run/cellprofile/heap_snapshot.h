/* heap_snapshot.h: what holds the objects of a page that came between two instants. */
#pragma once

#include "devtools/devtools.h"

/* Takes a snapshot of the heap.  marks: a list of two earlier ones: what holds the objects that
 * came between them and are still there, the largest first, as members of leak_holder records.
 * With fewer marks: this one.  NULL and *why. */
json_t *heap_snapshot_read(struct devtools *, const json_t *marks, char **why);
