/* made_from.h: what a run is made from: the member made_from of its `run` record. */
#ifndef MADE_FROM_H
#define MADE_FROM_H

#include <jansson.h>

/* Lines NAME=VALUE, as mk/run writes them; an empty value is none.  `environment` is
 * not among the settings of a run: it identifies the packages.  Nor is `made_files`: the names of
 * files whose digests are recorded, too. */
void xmade_from_settings(const char *path);
/* Files and folders to be copied to the folder of each notebook. */
void made_from_add_file(const char *path);

/* What a run of the notebook would be made from now; NULL: there is no such notebook. */
json_t *xmade_from_now(const char *notebook);
/* "files/, setting settle_ms 300 -> 700": what differs; NULL: nothing. */
char *made_from_difference(const json_t *recorded, const json_t *now);

#endif
