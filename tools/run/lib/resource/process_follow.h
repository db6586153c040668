/* process_follow.h: which processes belong to a tree, and readings of them that agree. */
#pragma once

#include "resource/process_tree_state.h"

struct process_member *process_follow_find(const struct process_tree *, pid_t);
/* Whether it is the root of a tree inside this one. */
bool process_follow_is_inner(const struct process_tree *, const struct process_stat *);
bool process_follow_is_adopted(const struct process_tree *, const struct process_stat *);
bool process_follow_is_free(pid_t);	/* no process has this id */
/* Adds the processes that were started since the last call. */
void process_follow_new(struct process_tree *);
/* Reads the members, `all` or those that used CPU time, and drops those that have ended. */
void process_follow_read(struct process_tree *, int what, bool all);
