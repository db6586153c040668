/* trace_otf2.c: an OTF2 archive, by the library if it was there at build time.
 * A location's events must be in order of time, and a run's are not: they wait in memory. */
#include "trace_otf2.h"
#include "base/die.h"
#include "base/folder.h"

#if defined __has_include && __has_include(<otf2/otf2.h>)

#include "base/str.h"
#include "json/json_parse.h"
#include "otf2_archive.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_ATTRIBUTES = 100 };

static const char *folder;
static struct otf2_events all = {.earliest = INT64_MAX, .latest = INT64_MIN};

/* One name may have numbers and texts: an attribute is a name and a type. */
static void
add_attribute(const char *key, OTF2_Type type, OTF2_AttributeValue value)
{
	char *name = xasprintf("%d %s", (int)type, key);
	uint32_t id = otf2_text_id(&all.attribute_names, name);
	*XAPPEND(all.attributes, all.n_attributes) = (struct otf2_attribute){id, type, value};
	free(name);
}

static unsigned
add_attributes(const char *args)
{
	json_t *object = args ? json_loads(args, JSON_ALLOW_NUL, NULL) : NULL, *v;
	const char *key;
	size_t before = all.n_attributes;
	json_object_foreach(object, key, v) {
		OTF2_AttributeValue value;
		if (all.n_attributes - before == MAX_ATTRIBUTES)
			break;
		if (json_is_string(v)) {
			char *whole = json_parse_string(v);
			value.stringRef = otf2_string(&all, whole);
			add_attribute(key, OTF2_TYPE_STRING, value);
			free(whole);
		} else if (json_is_integer(v) && !str_ends_with(key, "_ms")) {
			value.int64 = json_integer_value(v);
			add_attribute(key, OTF2_TYPE_INT64, value);
		} else if (json_is_number(v)) {
			value.float64 = json_number_value(v);
			add_attribute(key, OTF2_TYPE_DOUBLE, value);
		}
	}
	json_decref(object);
	return (unsigned)(all.n_attributes - before);
}

/* ---- events ------------------------------------------------------------------------ */

static void
put_group(unsigned id, const char *name, int order)
{
	size_t i = 0;
	while (i < all.n_groups && all.groups[i].id != id)
		i++;
	if (i == all.n_groups)
		(void)XAPPEND(all.groups, all.n_groups);
	all.groups[i] = (struct otf2_group){otf2_string(&all, name), order, id};
}

static struct otf2_location *
location_of(unsigned group, unsigned track)
{
	for (size_t i = 0; i < all.n_locations; i++)
		if (all.locations[i].group == group && all.locations[i].track == track)
			return &all.locations[i];
	struct otf2_location *l = XAPPEND(all.locations, all.n_locations);
	*l = (struct otf2_location){.group = group, .track = track};
	return l;
}

static void
put_track(struct trace_place at, const char *name)
{
	location_of(at.group, at.track)->name = otf2_string(&all, name);
}

static void
widen_span(int64_t begin, int64_t end)
{
	all.earliest = begin < all.earliest ? begin : all.earliest;
	all.latest = end > all.latest ? end : all.latest;
}

static void
put_slice(struct trace_place at, const char *name, int64_t begin, int64_t end, const char *args)
{
	struct otf2_location *l = location_of(at.group, at.track);
	size_t first = all.n_attributes;
	unsigned n = add_attributes(args);
	otf2_string(&all, name);
	widen_span(begin, end);
	uint32_t nth = (uint32_t)l->n_slices, region = otf2_text_id(&all.regions, name);
	*XAPPEND(l->slices, l->n_slices) = (struct otf2_slice){begin, end, region, nth, first, n};
}

static void
put_instant(struct trace_place at, const char *name, int64_t t_us, const char *args)
{
	put_slice(at, name, t_us, t_us, args);
}

/* Returns the unit of values or, for a counter, the unit that it counts. */
static const char *
unit_of(const struct series_def *def)
{
	if (!(def->flags & SERIES_COUNTER))
		return *def->unit ? def->unit : "number";
	return def->flags & SERIES_PERCENT ? "s" : def->flags & SERIES_BYTES ? "B" :
	    strcmp(def->unit, "W") == 0 ? "J" : "number";
}

static uint32_t
new_metric(const struct trace_series *s)
{
	*XAPPEND(all.metrics, all.n_metrics) = (struct otf2_metric){otf2_string(&all, s->name),
		otf2_string(&all, s->def->key ? s->def->key : ""),
		otf2_string(&all, unit_of(s->def)), s->def->flags & SERIES_COUNTER};
	return all.n_metrics - 1;
}

/* Viewers compute the rate of an accumulated metric. */
static void
put_counter(struct trace_series *s, int64_t from_us, int64_t t_us, double raw, double shown)
{
	(void)from_us, (void)shown;
	if (!s->head.n) {
		buf_addf(&s->head, "defined");
		s->id = new_metric(s);
	}
	struct otf2_location *l = location_of(s->group, 0);
	widen_span(t_us, t_us);
	uint32_t nth = (uint32_t)l->n_numbers;
	*XAPPEND(l->numbers, l->n_numbers) = (struct otf2_number){t_us, raw, s->id, nth};
}

static void
put_end(const char *text)
{
	json_t *about = json_loads(text, JSON_ALLOW_NUL, NULL);
	char *temp = xasprintf("%s.XXXXXX", folder);
	if (all.n_locations == 0) {	/* readers refuse an archive without one */
		put_group(1, "nothing", 0);
		put_track((struct trace_place){1, 1}, "nothing");
	}
	if (!mkdtemp(temp))
		die(ST_SYSTEM, "cannot make '%s':", temp);
	xotf2_write(&all, temp, folder, about);
	json_decref(about);
	mode_t mask = umask(0);
	umask(mask);
	if (chmod(temp, 0777 & ~mask) != 0 || rename(temp, folder) != 0) {
		int why = errno;
		folder_remove(temp);
		errno = why;
		die(ST_SYSTEM, "cannot write '%s':", folder);
	}
	free(temp);
}

const struct trace_writer *
xtrace_otf2(const char *to)
{
	static const struct trace_writer w = {put_group, put_track, put_slice, put_instant,
		put_counter, put_end};
	size_t n = strlen(to);
	while (n > 1 && to[n - 1] == '/')
		n--;
	folder = xasprintf("%.*s", (int)n, to);
	if (access(to, F_OK) == 0)
		die(ST_SYSTEM, "'%s' exists already", to);
	return &w;
}

#else

const struct trace_writer *
xtrace_otf2(const char *to)
{
	(void)to;
	die(ST_USAGE, "built without OTF2: install libotf2-trace-dev (Debian's name), "
	    "then run 'make programs' again");
}

#endif
