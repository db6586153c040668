/* passthrough.h: records that a filter passes on unchanged. */
#pragma once

#include "json/lines.h"
#include "json/scan.h"

struct passthrough {
	void (*before)(struct scan *, const struct lines *);	/* the line is passed; or NULL */
	void (*write)(const char *p, size_t n);
	/* whole: it had its newline; or NULL */
	void (*after)(struct scan *, const struct lines *, bool whole);
};
/* One read(2) from stdin, and the lines that it completed; false at the end.  Dies with
 * ST_INPUT on a line that is not a record or is longer than LINE_LIMIT_BYTES. */
bool xpassthrough_input(const struct passthrough *);
