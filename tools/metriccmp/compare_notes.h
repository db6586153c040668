/* compare_notes.h: the lines above and below the tables of a comparison. */
#ifndef COMPARE_NOTES_H
#define COMPARE_NOTES_H

#include "base/buf.h"
#include "compare_test.h"

/* `begin`: what each line begins with. */
void compare_notes_before(struct buf *, const struct comparison *, const char *begin);
void compare_notes_after(struct buf *, const struct comparison *, const struct compare_settings *,
    const char *begin);
void compare_notes_end_line(struct buf *);	/* removes spaces at its end */

#endif
