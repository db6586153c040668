/* profiling.h: profilers inside the kernel, around single cells (share/profile). */
#ifndef PROFILING_H
#define PROFILING_H

#include "drive/notebook.h"

#include <sys/types.h>

struct profiling;

#define PROFILING_MIME "application/vnd.nbscope.profile+jsonl"

/* How a driver reaches the kernel and the page. */
struct profiling_driver {
	/* Evaluates a Python expression in the kernel by a silent request: its data of this MIME
	 * type; NULL and the reason in *why, which the caller frees. */
	json_t *(*evaluate)(const char *expression, const char *mime, long limit_ms, char **why);
	/* Starts sampling the page: 0, or -1.  NULL: there is no page. */
	int (*start_browser)(void);
	/* Ends it and writes the records of a cell that started at unix time t. */
	void (*write_browser)(const struct notebook_cell *, double t);
	const char *no_browser;	/* why the page is not sampled, if it is not */
};

/* What --profile asks for, NULL: nothing.  Its file is {"profilers": [...], "cells": [index, ...]
 * or null: those with a tag, else all, "functions": [...], "overlay": a folder or null}; dies if it
 * cannot be read. */
struct profiling *xprofiling_of_options(void);
/* Defines the profilers in the kernel.  kernel: its process, 0: elsewhere. */
void profiling_open(struct profiling *, const struct profiling_driver *, const struct notebook *,
    pid_t kernel);
/* Before any cell is pressed: whether it is one of those to profile. */
bool profiling_before(struct profiling *, const struct notebook_cell *);
/* When a cell to profile is over: writes its `profile` records. */
void profiling_after(struct profiling *, const struct notebook_cell *, const char *status);

#endif
