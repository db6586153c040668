/* trace_otf2.h: an OTF2 archive, a folder that must not exist yet. */
#pragma once

#include "trace.h"

/* Dies with ST_USAGE where it was built without the library. */
const struct trace_writer *xtrace_otf2(const char *folder);
