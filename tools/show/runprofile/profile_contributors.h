/* profile_contributors.h: what contributed to the client time of cells, on one scale. */
#pragma once

#include "profile_fold.h"
#include "run/run_reader.h"

/* Take in records of the cell that is read: a stack's frames with its spans after unix time t, and
 * a message. */
void xprofile_contributors_stack(const json_t *frames, struct scan *, double t);
void xprofile_contributors_message(struct scan *);
/* Nothing more comes of the cell, whose index in the fold is `at`. */
void profile_contributors_cell(const struct run_cell *, size_t at, const char *source);
/* Adds to the cells what contributed; once, before they are sorted. */
void xprofile_contributors_finish(struct profile_fold *);
