/* range.h: a range of values, {from, to, step}, {from, to, factor} or {from, to, count}. */
#pragma once

#include "json/source.h"

/* The list of its values; `range` is the given member of the source's root. */
json_t *xrange_expand(const struct source *, json_t *range, const char *name, size_t member);
