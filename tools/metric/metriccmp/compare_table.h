/* compare_table.h: a comparison for people. */
#pragma once

#include "base/buf.h"
#include "compare_test.h"

/* Writes a table for a terminal; `all`: one line for each test, however many there are. */
void compare_table(struct buf *, const struct comparison *, const struct compare_settings *,
    bool all);
void compare_markdown(struct buf *, const struct comparison *, const struct compare_settings *,
    bool all);
