/* scan_reader.h: finds the members of an object. */
#pragma once

#include "json/scan.h"

/* Sets the members to those of the object at p, which ends in a NUL, and returns where it and
 * the blanks after it end; NULL: it is not valid.  rare: only jansson can say whether it is. */
const char *scan_reader_object(struct scan *, const char *p, bool *rare);
