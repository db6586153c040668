/* made_from.h: what a run is made from: the member made_from of its `run` record. */
#pragma once

#include "layout/layout.h"

#include <jansson.h>

/* Finds the files and folders that are copied to the folder of each notebook, and the gestures that
 * are performed in it. */
void made_from_find(const struct layout *);
/* How many there are, and their paths; borrowed. */
size_t made_from_files(char *const **paths);
const char *made_from_interactions(void);	/* NULL: none are performed */
const char *made_from_pace(void);	/* of all; NULL: each has its own */

/* What a run of the notebook would be made from now, with the settings of a profiler pass or NULL;
 * NULL: there is no such notebook. */
json_t *xmade_from_now(const char *notebook, json_t *profile);
/* "files/, setting settle_ms 300 -> 700": what differs; NULL: nothing. */
char *made_from_difference(const json_t *recorded, const json_t *now);
