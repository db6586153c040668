/* heap_snapshot.h: what holds the objects of a page that came between two instants.
 * A snapshot of the heap has 100 MB and more of JSON: it is read while it arrives. */
#pragma once

#include "devtools/devtools.h"

#include <stdint.h>

/* Takes a snapshot: the largest id of its objects, which all that come later exceed; 0: *why. */
uint32_t heap_snapshot_mark(struct devtools *, char **why);
struct heap_marks {
	uint32_t first, last;
};
/* Takes another: a list of what holds the objects that came between the marks and are still there,
 * the largest first, as members of leak_holder records; NULL and *why. */
json_t *heap_snapshot_holders(struct devtools *, struct heap_marks, char **why);
