/* kernel_state.h: the state of a kernel, and how it ended, according to its server. */
#pragma once

#include "jupyter/lab.h"

/* "busy", "idle" ... as last received by the server, or "gone"; the caller's. NULL: it does
 * not answer, see lab->error. */
char *kernel_state_get(struct lab *, const char *kernel_id);
/* How it ended, a record's "kernel_end": only its parent process, the server, can know, and
 * only labserve's reports it. `usage` is the cell's usage by the kernel, or NULL: it provides
 * the last known memory if the server does not. */
json_t *kernel_state_end(struct lab *, const char *kernel_id, const json_t *usage);
/* How it ended, in words; the caller's. */
char *kernel_state_explain_end(const json_t *end, const char *state);
