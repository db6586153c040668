/* browser_caches.h: what a Chromium has saved of the pages that it showed: files that it received,
 * and compiled scripts. Nothing else of its profile: no cookie, no storage, no setting. */
#pragma once

#include <stdint.h>

/* Copies the caches in a folder to a profile that no browser has used yet, or from a profile to a
 * folder. Bytes; -1 and errno. */
int64_t browser_caches_copy(const char *from, const char *to);
/* Moves the caches of a profile whose browser has ended to a folder that does not exist yet.
 * The folder appears whole or not at all. 0, or -1 and errno. */
int browser_caches_save(const char *profile, const char *folder);
