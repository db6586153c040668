/* page_load.h: opens a notebook in JupyterLab and waits until its kernel is ready. */
#pragma once

#include "browser/wd.h"
#include "server/server_files.h"

/* Opens the notebook's page with the scripts in it and waits until its kernel really is
 * ready. 0; -1: *error is a line for people (the caller frees it). */
int page_load(struct wd *, struct server_files *, long ready_ms, char **error);
/* The second half: the notebook is being opened. */
int page_load_wait(struct wd *, struct server_files *, long ready_ms, char **error);
/* How long a page may load, and a script in it may take. */
void page_load_set_limits(struct wd *, long timeout_ms);
/* Injects the scripts into a page that is open already; running them twice does no harm. */
int page_load_scripts(struct wd *);
