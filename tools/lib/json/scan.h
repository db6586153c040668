/* scan.h: one record split into its members, without building it.
 * For filters that copy most of what they read: 25 times as fast as a tree. */
#ifndef SCAN_H
#define SCAN_H

#include "base/nbscope.h"
#include "json/lines.h"

struct span {
	const char *p;	/* NULL: there is none; not NUL-terminated */
	size_t n;
};
struct member {
	struct span key;	/* between its quotes, as it stands */
	struct span value;	/* its JSON text */
};
/* Zeroed before its first use.  Spans lie in the line and live as long. */
struct scan {
	struct member *m;
	size_t n, cap;
	size_t next;	/* private: where the last lookup ended */
};
/* Splits one line of xnext_line; refuses what xparse_record refuses, with its
 * words, and dies so. */
void xscan_record(struct scan *, const struct lines *, const char *line, size_t len);
/* Calls `take` for every line of the files in turn ("-", or none: stdin); `list`
 * is argv's rest. */
typedef void scan_taker(struct scan *, const struct lines *, const char *line, size_t len);
void xscan_files(char **list, scan_taker *take);
/* The members of an object that stands in a scanned record; none if `object` is
 * no object. */
void scan_members(struct scan *, struct span object);
/* Quickest when asked for in the order in which they stand. */
struct span scan_get(struct scan *, const char *key);
/* Its characters; NULL if it is no string; the caller's. */
char *scan_string(struct scan *, const char *key);
bool scan_type_is(struct scan *, const char *type);

bool span_is(struct span, const char *json_text_of);
bool span_null(struct span);	/* null or not there */
double span_number(struct span);	/* NaN if it is no number */
char *span_string(struct span);	/* its characters; NULL if it is no string */
json_t *span_json(struct span);	/* NULL if there is none */
bool span_lists(struct span, const char *word);	/* whether this mark, say, is in the list */

#endif
