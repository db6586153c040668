/* cell_fault.h: what broke a cell that did not end. */
#pragma once

#include "server/server_files.h"

enum { CELL_FAULT_GRACE_MS = 700 };	/* for a cell that is interrupted */

/* A cell is at its limit, and its driver knows only that no answer came.  The server can say
 * whether the kernel, the connection or the server itself is the reason: adds it to `seen`, which
 * has the driver's observations.  A kernel that is busy is interrupted: ended(arg) waits for the
 * cell, CELL_FAULT_GRACE_MS at most, and returns whether it ended. */
void cell_fault_at_limit(struct server_files *, json_t *seen, bool (*ended)(void *arg), void *arg);
/* If the kernel is lost, adds how it ended.  `used`: the cell's usage. */
void cell_fault_kernel(struct server_files *, json_t *seen, const json_t *used);
