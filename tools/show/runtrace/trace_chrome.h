/* trace_chrome.h: Chrome's trace event format to stdout, event by event. */
#ifndef TRACE_CHROME_H
#define TRACE_CHROME_H

#include "trace.h"

const struct trace_writer *trace_chrome(void);

#endif
