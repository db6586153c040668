/* otf2_archive.h: a trace's events and definitions, gathered, and written as an OTF2 archive:
 * the same bytes for the same events. */
#pragma once

#include "trace.h"

#include <jansson.h>
#include <otf2/otf2.h>

/* Members of a slice's `args`. */
struct otf2_attribute {
	uint32_t id;
	OTF2_Type type;
	OTF2_AttributeValue value;
};
struct otf2_slice {
	int64_t begin, end;
	uint32_t region, nth;
	size_t attribute;	/* the first of its own */
	unsigned attributes;
};
struct otf2_number {
	int64_t t;
	double value;
	uint32_t metric, nth;
};
/* A track, or (without a name) all numbers of a group. */
struct otf2_location {
	unsigned group, track;
	OTF2_StringRef name;
	struct otf2_slice *slices;
	struct otf2_number *numbers;
	size_t n_slices, n_numbers;
	uint64_t events;
};
struct otf2_group {
	OTF2_StringRef name;
	int order;
	unsigned id;
};

struct otf2_metric {
	OTF2_StringRef name, description, unit;
	bool total;
};
/* Texts, each with its number. */
struct otf2_texts {
	json_t *ids;	/* text to number */
	char **texts;
	size_t n;
};
struct otf2_events {
	struct otf2_texts strings, regions;
	struct otf2_texts attribute_names;	/* the type as a number, a space, the name */
	struct otf2_attribute *attributes;
	size_t n_attributes;
	struct otf2_location *locations;
	size_t n_locations;
	struct otf2_group *groups;
	size_t n_groups;
	struct otf2_metric *metrics;
	uint32_t n_metrics;
	int64_t earliest, latest;
};
/* The text's number, a new one if it has none. */
uint32_t otf2_text_id(struct otf2_texts *, const char *text);
/* The text's number among the strings of the archive; a long text is cut. */
OTF2_StringRef otf2_string(struct otf2_events *, const char *text);
/* Sorts the events and writes them into the empty folder `path`; `about` is the metadata of the
 * runs.  On failure removes `path` and dies with ST_SYSTEM, naming `folder`. */
void xotf2_write(struct otf2_events *, const char *path, const char *folder, const json_t *about);
