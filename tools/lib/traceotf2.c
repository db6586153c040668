/* traceotf2.c */
#include "trace.h"
const struct trace_writer *
xotf2_trace(const char *folder)
{
	(void)folder;
	die(ST_USAGE, "no");
}
