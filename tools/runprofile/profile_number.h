/* profile_number.h: numbers of a profile, for people. */
#ifndef PROFILE_NUMBER_H
#define PROFILE_NUMBER_H

#include "base/buf.h"

void profile_number_count(struct buf *, double count);	/* "1,000,000" */

#endif
