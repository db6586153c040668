/* traceotf2.c: an OTF2 archive, by the library where it was there at build time.
 * A location's events must stand in order of time, and a run's do not come so:
 * they wait in memory.
 */
#include "trace.h"

#if defined __has_include && __has_include(<otf2/otf2.h>)

#include "otf2events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_ATTRIBUTES = 100, TEXT_BYTES = 4000 };

static const char *folder;
static struct events all = {.earliest = INT64_MAX, .latest = INT64_MIN};

static void *
grow(void *list, size_t n, size_t size)
{
	return n & (n - 1) ? list : xrealloc(list, (n ? 2 * n : 1) * size);
}

/* ---- what is defined once ------------------------------------------------------- */

static uint32_t
id_in(struct table *t, const char *text)
{
	if (!t->ids)
		t->ids = json_object();
	const json_t *had = json_object_get(t->ids, text);
	if (had)
		return (uint32_t)json_integer_value(had);
	t->texts = grow(t->texts, t->n, sizeof *t->texts);
	t->texts[t->n] = xstrdup(text);
	if (json_object_set_new_nocheck(t->ids, text, json_integer((json_int_t)t->n)) < 0)
		die(ST_SYSTEM, "out of memory");
	return (uint32_t)t->n++;
}

static OTF2_StringRef
string_of(const char *text)
{
	size_t n = strlen(text);
	if (n <= TEXT_BYTES)
		return id_in(&all.strings, text);
	for (n = TEXT_BYTES; (text[n] & 0xc0) == 0x80; n--)
		continue;
	char *cut = xasprintf("%.*s", (int)n, text);
	OTF2_StringRef id = id_in(&all.strings, cut);
	free(cut);
	return id;
}

uint32_t
otf2_string(struct events *e, const char *text)
{
	(void)e;
	return string_of(text);
}

/* One name may have numbers and texts: an attribute is a name and a type. */
static void
add_attribute(const char *key, OTF2_Type type, OTF2_AttributeValue value)
{
	char *name = xasprintf("%d %s", (int)type, key);
	all.attributes = grow(all.attributes, all.n_attributes, sizeof *all.attributes);
	all.attributes[all.n_attributes++] = (struct attribute){id_in(&all.attribute_names, name), type, value};
	free(name);
}

static unsigned
add_attributes(const char *args)
{
	json_t *object = args ? json_loads(args, JSON_ALLOW_NUL, NULL) : NULL, *v;
	const char *key;
	size_t before = all.n_attributes;
	json_object_foreach(object, key, v) {
		size_t n = strlen(key);
		bool time = n > 3 && strcmp(key + n - 3, "_ms") == 0;
		if (all.n_attributes - before == MOST_ATTRIBUTES)
			break;
		if (json_is_string(v)) {
			char *whole = whole_text(v);
			add_attribute(key, OTF2_TYPE_STRING, (OTF2_AttributeValue){.stringRef = string_of(whole)});
			free(whole);
		} else if (json_is_integer(v) && !time)
			add_attribute(key, OTF2_TYPE_INT64, (OTF2_AttributeValue){.int64 = json_integer_value(v)});
		else if (json_is_number(v))
			add_attribute(key, OTF2_TYPE_DOUBLE, (OTF2_AttributeValue){.float64 = json_number_value(v)});
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
		all.groups = grow(all.groups, all.n_groups++, sizeof *all.groups);
	all.groups[i] = (struct group){string_of(name), order, id};
}

static struct location *
location_of(unsigned group, unsigned track)
{
	for (size_t i = 0; i < all.n_locations; i++)
		if (all.locations[i].group == group && all.locations[i].track == track)
			return &all.locations[i];
	all.locations = grow(all.locations, all.n_locations, sizeof *all.locations);
	all.locations[all.n_locations] = (struct location){.group = group, .track = track};
	return &all.locations[all.n_locations++];
}

static void
put_track(struct trace_place at, const char *name)
{
	location_of(at.group, at.track)->name = string_of(name);
}

static void
span_of_all(int64_t begin, int64_t end)
{
	all.earliest = begin < all.earliest ? begin : all.earliest;
	all.latest = end > all.latest ? end : all.latest;
}

static void
put_slice(struct trace_place at, const char *name, int64_t begin, int64_t end, const char *args)
{
	struct location *l = location_of(at.group, at.track);
	size_t first = all.n_attributes;
	unsigned n = add_attributes(args);
	string_of(name);
	span_of_all(begin, end);
	l->slices = grow(l->slices, l->n_slices, sizeof *l->slices);
	l->slices[l->n_slices] = (struct slice){begin, end, id_in(&all.regions, name), (uint32_t)l->n_slices, first, n};
	l->n_slices++;
}

static void
put_instant(struct trace_place at, const char *name, int64_t t_us, const char *args)
{
	put_slice(at, name, t_us, t_us, args);
}

static uint32_t
new_metric(const struct trace_series *s)
{
	const char *unit = s->kind->how == TOTAL ? s->kind->raw_unit : s->kind->unit;
	all.metrics = grow(all.metrics, all.n_metrics, sizeof *all.metrics);
	all.metrics[all.n_metrics] = (struct metric){string_of(s->name), string_of(s->kind->member), string_of(unit), s->kind->how == TOTAL};
	return all.n_metrics++;
}

/* A viewer makes the rate of what grows itself. */
static void
put_counter(struct trace_series *s, int64_t from_us, int64_t t_us, double raw, double shown)
{
	(void)from_us, (void)shown;
	if (!s->head.n) {
		buf_addf(&s->head, "defined");
		s->id = new_metric(s);
	}
	struct location *l = location_of(s->group, 0);
	span_of_all(t_us, t_us);
	l->numbers = grow(l->numbers, l->n_numbers, sizeof *l->numbers);
	l->numbers[l->n_numbers] = (struct number){t_us, raw, s->id, (uint32_t)l->n_numbers};
	l->n_numbers++;
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
		remove_tree(temp);
		errno = why;
		die(ST_SYSTEM, "cannot write '%s':", folder);
	}
	free(temp);
}

const struct trace_writer *
xotf2_trace(const char *to)
{
	static const struct trace_writer w = {put_group, put_track, put_slice, put_instant, put_counter, put_end};
	size_t n = strlen(to);
	while (n > 1 && to[n - 1] == '/')
		n--;
	folder = xasprintf("%.*s", (int)n, to);
	if (access(to, F_OK) == 0)
		die(ST_SYSTEM, "'%s' is there already", to);
	return &w;
}

#else

const struct trace_writer *
xotf2_trace(const char *to)
{
	(void)to;
	die(ST_USAGE, "built without OTF2: install libotf2-trace-dev (Debian's name), then 'make programs' again");
}

#endif
