/* profiling.h: profilers inside the kernel, around single cells (share/profile). */
#ifndef PROFILING_H
#define PROFILING_H

#include "notebook.h"

#include <sys/types.h>

struct wd;
struct profiling;

/* Settings: {"profilers": [...], "cells": [index, ...] or null: those with a tag, else all,
 * "functions": [...], "overlay": a folder or null}, from the JSON file `path`; dies if it cannot
 * be read. */
struct profiling *xprofiling_read(const char *path);
const json_t *profiling_settings(const struct profiling *);	/* borrowed */
/* Defines the profilers in the kernel of the open page.  kernel: its process, 0: elsewhere. */
void profiling_open(struct profiling *, struct wd *, const struct notebook *, pid_t kernel);
/* Before any cell is pressed: whether it is one of those to profile. */
bool profiling_before(struct profiling *, const struct notebook_cell *);
/* When a cell to profile is over: writes its `profile` records. */
void profiling_after(struct profiling *, const struct notebook_cell *, const char *status);

#endif
