/* process_member.h: what one process of a tree used, and its share of the tree's sum. */
#pragma once

#include "resource/process_tree_state.h"

/* Own and inherited, since its start. */
uint64_t process_member_total(const struct process_member *, enum counter);
/* Its part of the tree's sum: since it joined. */
uint64_t process_member_part(const struct process_member *, enum counter);
/* Its numbers now are those with which it joined; `based`: which of PT_DELAY, PT_SWITCHES too. */
void process_member_start(struct process_member *, int based);
void process_member_read(struct process_member *, int what, uint64_t now, bool is_root);
