/* memory_need.h: the memory that a combination needs, an expression in its parameters. */
#pragma once

#include "base/buf.h"
#include "json/scan.h"
#include "text/expr.h"

/* NULL: the text is empty or NULL. Dies with ST_USAGE if it is no expression. */
struct expr *xmemory_need_parse(const char *text);
/* The bytes that a combination needs; dies with ST_INPUT if its parameters give no number.
 * `source` and `line` are for messages. */
double xmemory_need_bytes(const struct expr *, struct scan *params, const char *source,
    unsigned long line, const char *name);
/* Adds "needs 1.2 GB of memory, this machine has 1.1 GB", or "need 1.2 GB to 3.4 GB" up to `high`,
 * with as many decimals as distinguish it from the limit. */
void memory_need_add(struct buf *, double low, double high, const char *of_memory, double limit);
/* Why a notebook does not fit, which the caller frees. */
char *memory_need_reason(double bytes, double limit);
