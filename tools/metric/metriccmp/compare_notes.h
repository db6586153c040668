/* compare_notes.h: what is above and below the tables of a comparison. */
#pragma once

#include "base/buf.h"
#include "compare_test.h"
#include "text/style.h"

/* Adds a line for each difference, stale or missing run and failure; `begin`: "- " in Markdown. */
void compare_notes_before(struct buf *, const struct comparison *, const char *begin);
/* Adds what the columns mean, what the tests can show, and how runs were interleaved. */
void compare_notes_after(struct buf *, const struct comparison *, const struct compare_settings *,
    const char *begin);

/* A style for a terminal; Markdown, whose lines begin with something, has none. */
const char *compare_style(const char *begin, enum style);
void compare_end_line(struct buf *);	/* without the spaces at its end */
