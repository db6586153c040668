/* otf2events.h: what traceotf2.c gathers and otf2archive.c writes. */
#ifndef OTF2EVENTS_H
#define OTF2EVENTS_H

#include "trace.h"

#include <otf2/otf2.h>

/* Members of a slice's `args`. */
struct attribute {
	uint32_t id;
	OTF2_Type type;
	OTF2_AttributeValue value;
};
struct slice {
	int64_t begin, end;
	uint32_t region, nth;
	size_t attribute;	/* the first of its own */
	unsigned attributes;
};
struct number {
	int64_t t;
	double value;
	uint32_t metric, nth;
};
/* A track, or (without a name) all numbers of a group. */
struct location {
	unsigned group, track;
	OTF2_StringRef name;
	struct slice *slices;
	struct number *numbers;
	size_t n_slices, n_numbers, cap;
	uint64_t events;
};
struct group {
	OTF2_StringRef name;
	int order;
	unsigned id;
};

struct metric {
	OTF2_StringRef name, description, unit;
	bool total;
};
/* Texts by number. */
struct table {
	json_t *ids;	/* text to number */
	char **texts;
	size_t n;
};
struct events {
	struct table strings, regions;
	struct table attribute_names;	/* the type as a number, a space, the name */
	struct attribute *attributes;
	size_t n_attributes;
	struct location *locations;
	size_t n_locations;
	struct group *groups;
	size_t n_groups;
	struct metric *metrics;
	uint32_t n_metrics;
	int64_t earliest, latest;
};
uint32_t otf2_string(struct events *, const char *text);
/* Sorts what it is given and writes it into the empty folder `path`; `about`
 * tells of its runs.  If it cannot, removes `path` and dies with ST_SYSTEM, naming
 * `folder`. */
void xotf2_write(struct events *, const char *path, const char *folder, const json_t *about);

#endif
