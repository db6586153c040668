/* page_reuse.h: a page of JupyterLab that shows one notebook after another. */
#pragma once

#include "browser/wd.h"
#include "server/server_files.h"

/* Opens the notebook in the page that an earlier run has left, or, if there is none of this
 * server, loads one: 0, or -1 and *error, as page_load(). */
int page_reuse_open(struct wd *, struct server_files *, long ready_ms, char **error);
/* What the page was before this notebook, for the run record. */
json_t *page_reuse_record(void);
/* Closes the notebook and everything else that it has opened. Whether nothing of it is left. */
bool page_reuse_close(struct wd *);
/* Collects the garbage. Whether the page is small enough for another notebook. */
bool page_reuse_collect(struct wd *);
