/* plan_identity.h: whether everything that a plan is made from is as it was when it was written, by
 * inodes, sizes and dates, so that the plan need not be made again. */
#ifndef PLAN_IDENTITY_H
#define PLAN_IDENTITY_H

#include "digest.h"

struct plan_identity {
	char hex[DIGEST_HEX];
	bool settled;	/* no date is so recent that a later change might have the same */
};
/* The identity is of the options, the machine's memory, files, and folders with all that is in
 * them. */
void plan_identity_begin(int argc, char **argv, double memory_bytes);
void plan_identity_add(const char *path);
/* The folder of runs, in which the plan is; nobody else writes that, so its date is no doubt. */
void plan_identity_add_runs(const char *folder, const char *plan);
void plan_identity_end(struct plan_identity *);

/* The identity and the exit status of the plan that was written last; -1: it is another. */
int plan_identity_recall(const struct plan_identity *, const char *path);
void plan_identity_store(const struct plan_identity *, const char *path, int status);

#endif
