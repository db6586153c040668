/* notebook_folder.h: the folder of the notebooks.  A notebook appears whole or not at all. */
#ifndef NOTEBOOK_FOLDER_H
#define NOTEBOOK_FOLDER_H

#include "base/buf.h"

#include <jansson.h>
#include <stdbool.h>

void xnotebook_folder_open(const char *dir);
/* Writes NAME.ipynb unless it has this content already; returns whether it did. */
bool xnotebook_folder_write(const char *name, const struct buf *content);
/* Removes notebooks that nbpatch made for these use cases and that are not among the names.
 * Returns how many. */
size_t xnotebook_folder_prune(const json_t *usecases, const json_t *names);

#endif
