/* cell_usage.h: what processes and the machine used while one cell ran, read just before its key
 * press and just after its end. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

struct lab;
struct cell_usage;
/* Watches the kernel (`kernel`: its process, 0 if it is elsewhere), the browser (WD_BROWSER_PID)
 * and the kernel's parent, the server, if they run on this machine.  `lab` may be NULL; no_browser:
 * why there is none, or NULL. */
struct cell_usage *cell_usage_open(struct lab *, const char *kernel_id, pid_t kernel,
    const char *no_browser);
/* Calls write() with a watch record for each role. */
void cell_usage_write_watches(const struct cell_usage *, void (*write)(json_t *));
/* Whether the kernel's process has ended and another one runs with the same kernel id. */
bool cell_usage_kernel_replaced(const struct cell_usage *);
void cell_usage_before(struct cell_usage *);
/* Makes the reading before the last one the baseline: the cell started while the last one was
 * being taken. */
void cell_usage_undo_before(struct cell_usage *);
/* The record's "usage": differences since cell_usage_before(); json_null() if that was not called
 * for this cell. */
json_t *cell_usage_after(struct cell_usage *);
void cell_usage_close(struct cell_usage *);
