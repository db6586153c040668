/* profile_write.h: folded profiles as records. */
#pragma once

#include "profile_fold.h"

void profile_write(const struct profile_fold *);	/* to stdout */
