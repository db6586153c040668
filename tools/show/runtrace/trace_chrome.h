/* trace_chrome.h: Chrome's trace event format to stdout, event by event. */
#pragma once

#include "trace.h"

const struct trace_writer *trace_chrome(void);
