/* plan_identity.h: whether everything that a plan is made from is as it was when it was written, by
 * inodes, sizes and dates, so that the plan need not be made again. */
#pragma once

#include "digest.h"

struct plan_identity {
	char hex[DIGEST_HEX];
	bool settled;	/* no date is so recent that a later change might have the same */
};
/* The identity is of the options, the machine's memory, files, and folders with all that is in
 * them. */
/* `plan` is the plan itself: nobody else writes it, so that its date is no doubt. */
void plan_identity_begin(int argc, char **argv, double memory_bytes, const char *plan);
void plan_identity_add(const char *path);
/* A folder that make made, without the files that it hides there. */
void plan_identity_add_made(const char *folder);
void plan_identity_end(struct plan_identity *);

/* The identity and the exit status of the plan that was written last; -1: it is another. */
int plan_identity_recall(const struct plan_identity *, const char *path);
void plan_identity_store(const struct plan_identity *, const char *path, int status);
