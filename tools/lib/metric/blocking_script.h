/* blocking_script.h: which script blocked the browser's main thread. */
#pragma once

#include "json/span.h"

/* That of `scripts` in a record of the page that took most of `blocked_ms`, with '?' for characters
 * that JSON escapes; NULL: no script did; the caller's. */
char *blocking_script(struct span scripts, double blocked_ms);
