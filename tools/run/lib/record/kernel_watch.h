/* kernel_watch.h: what a run's kernel uses, and where it may run. */
#pragma once

#include "record/cell_usage.h"
#include "server/server_files.h"

/* Watches the processes of a kernel of the run, writes their watch records, and pins the kernel if
 * --cores says so, or dies.  `lab` may be NULL; no_browser: why there is none, or NULL. */
struct cell_usage *xkernel_watch_open(struct lab *, struct server_files *, const char *kernel_id,
    const char *no_browser);
