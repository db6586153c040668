/* junit_markdown.h: the suites as a summary for a pull request's comment. */
#pragma once

#include "base/buf.h"

/* Lists at most `most` cases that were not completed. */
void junit_markdown(struct buf *, const char *title, size_t most);
