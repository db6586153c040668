/* wait_cause.c: because of which processes kernel and browser waited for processors. */
#include "metric/wait_cause.h"

#include <stddef.h>

const char *const wait_cause_words[WAIT_CAUSES] = {NULL, "others", "own", "unknown"};
