/* profiling.h: which cells run under which profilers, and their records. */
#pragma once

#include "notebook/notebook.h"

struct profiling;

/* What a file asks for: {"profilers": [...], "cells": [index, ...] or null: those with a tag, else
 * all, "functions": [...], "overlay": a folder or null}; dies if it cannot be read. */
struct profiling *xprofiling_read(const char *path);
json_t *profiling_settings(const struct profiling *);	/* as in the file; borrowed */
/* Defines the profilers in the kernel.  opened: the driver's question of type "open". */
void profiling_open(struct profiling *, const json_t *opened);
/* Before a cell is pressed: starts the profilers if it is one of those to profile.  Cells are
 * numbered from 1. */
void profiling_before(struct profiling *, size_t cell, json_int_t interaction);
bool profiling_ended(const struct profiling *);	/* whether it was profiled */
/* When all cells have run once more.  question: of type "round". */
void profiling_round(const struct profiling *, const json_t *question);
/* When the cell's record is written: writes its `profile` records. */
void profiling_recorded(const struct profiling *, size_t cell, const char *status);
