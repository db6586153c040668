/* trace_group.h: the groups and tracks of a trace: which process, and what of it. */
#pragma once

#include "json/scan.h"
#include "trace.h"

extern const struct trace_writer *trace_writer;	/* to be set before any other call */

/* Opens the groups of the next run; `name` distinguishes them. */
void trace_group_run(const char *name);
unsigned trace_group(const char *role);
/* The group of a role, with a pid that of one process; both are JSON texts.  0: no role. */
unsigned trace_group_of(struct span role, struct span pid);
struct trace_place trace_place(const char *role, const char *track);
