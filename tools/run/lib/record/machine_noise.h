/* machine_noise.h: how steady the machine is: the times of a fixed computation and of an empty
 * request to the kernel, each repeated. */
#pragma once

#include <jansson.h>

/* The machine_noise record, the caller's.  Takes less than 2 s.  The computation runs on the
 * kernel's `cores`, see affinity.h; NULL: all.  time_requests() fills ms with the times of at most
 * n empty requests and returns their number, 0 if the kernel cannot be asked. */
json_t *machine_noise(const char *cores,
    size_t (*time_requests)(double *ms, size_t n, long limit_ms));
