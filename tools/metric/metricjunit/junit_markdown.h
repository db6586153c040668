/* junit_markdown.h: the suites as a summary for a pull request's comment. */
#ifndef JUNIT_MARKDOWN_H
#define JUNIT_MARKDOWN_H

#include "base/buf.h"

/* Lists at most `most` cases that were not completed. */
void junit_markdown(struct buf *, const char *title, size_t most);

#endif
