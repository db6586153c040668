/* abshow.h: a comparison for people and programs. */
#ifndef ABSHOW_H
#define ABSHOW_H

#include "compare/compare_test.h"

/* As a terminal shows it; `all`: each test has its line, however many there are. */
void ab_table(struct buf *, const struct ab *, const struct ab_settings *, bool all);
void ab_markdown(struct buf *, const struct ab *, const struct ab_settings *, bool all);
void ab_csv(struct buf *, const struct ab *);
/* One `comparison` for each test, then one `compared`. */
void ab_records(struct buf *, const struct ab *, const struct ab_settings *);
json_t *ab_verdict(const struct ab *, const struct ab_settings *);

/* Between abshow.c and abnotes.c.  `begin`: what each line begins with. */
enum { NAME_COLUMNS = 40 };
void ab_notes_before(struct buf *, const struct ab *, const char *begin);
void ab_notes_after(struct buf *, const struct ab *, const struct ab_settings *, const char *begin);
void ab_end_line(struct buf *);	/* without the blanks at its end */

#endif
