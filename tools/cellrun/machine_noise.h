/* machine_noise.h: how steady the machine is: the times of a fixed computation and of an empty
 * request to the kernel, each repeated. */
#ifndef MACHINE_NOISE_H
#define MACHINE_NOISE_H

#include "browser/wd.h"

/* The machine_noise record, the caller's.  Takes less than 2 s.  The computation runs on the
 * kernel's `cores`, see affinity.h; NULL: all. */
json_t *machine_noise(struct wd *, const char *cores);

#endif
