/* profile_write.h: folded profiles as records. */
#ifndef PROFILE_WRITE_H
#define PROFILE_WRITE_H

#include "profile/profile_fold.h"

void profile_write(const struct profile_fold *);	/* to stdout */

#endif
