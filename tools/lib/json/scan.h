/* scan.h: splits a record into its members without building a tree.
 * For filters that copy most of their input: 25 times as fast as jansson. */
#pragma once

#include "json/lines.h"
#include "json/span.h"

struct member {
	struct span key;	/* between its quotes, with its escapes */
	struct span value;	/* its JSON text */
};
/* Zeroed before its first use.  Spans point into the line and are valid as long as it. */
struct scan {
	struct member *m;
	size_t n, cap;
	bool lenient;	/* set it for records of anyone: without type, with NaN and Infinity */
	size_t next;	/* private: where the last lookup ended */
	bool escaped;	/* private: some key has escapes, perhaps of an inner object */
};
/* Splits one line of xlines_next().  Dies with the same messages as xlines_parse(). */
void xscan_record(struct scan *, const struct lines *, const char *line, size_t len);
/* Splits the line, too, but returns false instead of dying. */
bool scan_record(struct scan *, const char *line, size_t len);
/* Calls `handle` for every line of the files in turn ("-", or none: stdin); `list` is
 * the rest of argv. */
typedef void scan_handler(struct scan *, const struct lines *, const char *line, size_t len);
void xscan_files(char **list, scan_handler *handle);
/* The members of an object within a scanned record; none if `object` is not an object. */
void scan_members(struct scan *, struct span object);
/* Fastest if members are requested in the order of the line. */
struct span scan_get(struct scan *, const char *key);
/* Its characters, which the caller frees; NULL if it is not a string. */
char *scan_string(struct scan *, const char *key);
bool scan_type_is(struct scan *, const char *type);
json_t *scan_json(const struct scan *);	/* the whole record; its keys as they are written */
