/* compare_record.h: a comparison for programs. */
#pragma once

#include "base/buf.h"
#include "compare_test.h"

/* `escape`: texts that a spreadsheet would evaluate. */
void compare_csv(struct buf *, const struct comparison *, bool escape);
/* One `comparison` for each test, then one `comparison_verdict`. */
void compare_records(struct buf *, const struct comparison *, const struct compare_settings *);
json_t *compare_verdict(const struct comparison *, const struct compare_settings *);
