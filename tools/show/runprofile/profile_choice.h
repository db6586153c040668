/* profile_choice.h: the functions whose lines are worth timing. */
#ifndef PROFILE_CHOICE_H
#define PROFILE_CHOICE_H

#include "profile/profile_fold.h"

/* Writes to stdout the patterns of the functions which, in at least one cell, hold this share of
 * the time of the packages' functions, and the innermost one that takes half of a cell with what
 * it calls: those with most time first. */
void profile_choice_put(const struct profile_fold *, double share);

#endif
