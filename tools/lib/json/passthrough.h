/* pass.h: records that a filter passes on byte for byte, as they come. */
#ifndef PASS_H
#define PASS_H

#include "base/buf.h"
#include "json/lines.h"
#include "json/scan.h"

struct passthrough {
	void (*before)(struct scan *, const struct lines *);	/* the line is passed; or NULL */
	void (*write)(const char *p, size_t n);
	/* whole: it had its newline; or NULL */
	void (*after)(struct scan *, const struct lines *, bool whole);
};
/* Takes the whole lines of `b`, at the end all of it, and drops them from it;
 * counts in in->number.  Dies with ST_INPUT on a line that is no record or is
 * longer than LINE_LIMIT_BYTES. */
void xpassthrough_lines(struct buf *b, struct lines *in, bool end, const struct passthrough *);
/* One read(2) from stdin, and the lines that it made whole; false at its end. */
bool xpassthrough_input(const struct passthrough *);

#endif
