/* otf2_archive.c: gathered events as an OTF2 archive. */

#if defined __has_include && __has_include(<otf2/otf2.h>)

#include "base/atomic_file.h"
#include "base/die.h"
#include "base/file.h"
#include "base/folder.h"
#include "json/json_parse.h"
#include "json/json_text.h"
#include "otf2_archive.h"

#include <ctype.h>

enum { EVENT_CHUNK = 1 << 20, DEF_CHUNK = 4 << 20, MAX_ANCHOR_BYTES = 64 << 20 };
enum { TICKS_PER_SECOND = 1000000, MAX_TEXT_BYTES = 4000 };

static struct otf2_events *all;
static const char *path, *folder, *first_error;

/* ---- gathering --------------------------------------------------------------------- */

uint32_t
otf2_text_id(struct otf2_texts *t, const char *text)
{
	if (!t->ids)
		t->ids = json_object();
	const json_t *had = json_object_get(t->ids, text);
	if (had)
		return (uint32_t)json_integer_value(had);
	if (json_object_set_new_nocheck(t->ids, text, json_integer((json_int_t)t->n)) < 0)
		die(ST_SYSTEM, "out of memory");
	*XAPPEND(t->texts, t->n) = xstrdup(text);
	return (uint32_t)t->n - 1;
}

OTF2_StringRef
otf2_string(struct otf2_events *e, const char *text)
{
	size_t n = strlen(text);
	if (n <= MAX_TEXT_BYTES)
		return otf2_text_id(&e->strings, text);
	for (n = MAX_TEXT_BYTES; (text[n] & 0xc0) == 0x80; n--)
		continue;
	char *cut = xasprintf("%.*s", (int)n, text);
	OTF2_StringRef id = otf2_text_id(&e->strings, cut);
	free(cut);
	return id;
}

/* ---- writing ----------------------------------------------------------------------- */

static _Noreturn void
die_archive(const char *why)
{
	folder_remove(path);
	die(ST_SYSTEM, "cannot write '%s': %s", folder, first_error ? first_error : why);
}

static OTF2_ErrorCode
note_error(void *with, const char *file, uint64_t line, const char *function,
    OTF2_ErrorCode code, const char *format, va_list list)
{
	(void)with, (void)file, (void)line, (void)function, (void)format, (void)list;
	if (!first_error && code > OTF2_SUCCESS)
		first_error = OTF2_Error_GetDescription(code);
	return code;
}

static void
xotf2(OTF2_ErrorCode code)
{
	if (code != OTF2_SUCCESS)
		die_archive(OTF2_Error_GetDescription(code));
}

static OTF2_FlushType
may_flush(void *with, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)with, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static int
by_begin(const void *a, const void *b)
{
	const struct otf2_slice *x = a, *y = b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return (x->nth > y->nth) - (x->nth < y->nth);
}

static int
by_time(const void *a, const void *b)
{
	const struct otf2_number *x = a, *y = b;
	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return (x->nth > y->nth) - (x->nth < y->nth);
}

static OTF2_TimeStamp
ticks(int64_t us)
{
	return us < 0 ? 0 : (OTF2_TimeStamp)us;
}

static void
leave(OTF2_EvtWriter *w, struct otf2_location *l, const struct otf2_slice *s)
{
	xotf2(OTF2_EvtWriter_Leave(w, NULL, ticks(s->end), s->region));
	l->events++;
}

/* Slices lie in each other; one that hangs over is cut where the outer one ends. */
static void
write_slices(OTF2_EvtWriter *w, struct otf2_location *l)
{
	struct otf2_slice **open = xmalloc((l->n_slices + 1) * sizeof *open);
	size_t depth = 0;
	OTF2_AttributeList *list = OTF2_AttributeList_New();
	if (l->n_slices)
		qsort(l->slices, l->n_slices, sizeof *l->slices, by_begin);
	for (size_t i = 0; i < l->n_slices; i++) {
		struct otf2_slice *s = &l->slices[i];
		while (depth && open[depth - 1]->end <= s->begin)
			leave(w, l, open[--depth]);
		if (depth && s->end > open[depth - 1]->end)
			s->end = open[depth - 1]->end;
		for (unsigned k = 0; k < s->attributes; k++) {
			const struct otf2_attribute *a = &all->attributes[s->attribute + k];
			xotf2(OTF2_AttributeList_AddAttribute(list, a->id, a->type, a->value));
		}
		xotf2(OTF2_EvtWriter_Enter(w, list, ticks(s->begin), s->region));
		l->events++;
		open[depth++] = s;
	}
	while (depth)
		leave(w, l, open[--depth]);
	OTF2_AttributeList_Delete(list);
	free(open);
}

static void
write_numbers(OTF2_EvtWriter *w, struct otf2_location *l)
{
	static const OTF2_Type type = OTF2_TYPE_DOUBLE;
	if (l->n_numbers)
		qsort(l->numbers, l->n_numbers, sizeof *l->numbers, by_time);
	for (size_t i = 0; i < l->n_numbers; i++) {
		const struct otf2_number *n = &l->numbers[i];
		OTF2_MetricValue value = {.floating_point = n->value};
		xotf2(OTF2_EvtWriter_Metric(w, NULL, ticks(n->t), n->metric, 1, &type, &value));
	}
	l->events += l->n_numbers;
}

static int
by_order(const void *a, const void *b)
{
	const struct otf2_group *x = a, *y = b;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static size_t
place_of(unsigned group)
{
	size_t i = 0;
	while (i < all->n_groups && all->groups[i].id != group)
		i++;
	return i;
}

static int
by_group(const void *a, const void *b)
{
	const struct otf2_location *x = a, *y = b;
	size_t left = place_of(x->group), right = place_of(y->group);
	if (left != right)
		return left < right ? -1 : 1;
	return (x->track > y->track) - (x->track < y->track);
}

static OTF2_StringRef
string(const char *text)
{
	return otf2_string(all, text);
}

static void
define_strings(OTF2_GlobalDefWriter *w)
{
	for (size_t i = 0; i < all->strings.n; i++)
		xotf2(OTF2_GlobalDefWriter_WriteString(w, (uint32_t)i, all->strings.texts[i]));
	for (size_t i = 0; i < all->regions.n; i++) {
		OTF2_StringRef name = string(all->regions.texts[i]), none = string("");
		xotf2(OTF2_GlobalDefWriter_WriteRegion(w, (uint32_t)i, name, name, none,
		    OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, none, 0, 0));
	}
	for (size_t i = 0; i < all->attribute_names.n; i++) {
		const char *text = all->attribute_names.texts[i];
		OTF2_StringRef name = string(strchr(text, ' ') + 1);
		OTF2_Type type = (OTF2_Type)strtol(text, NULL, 10);
		xotf2(OTF2_GlobalDefWriter_WriteAttribute(w, (uint32_t)i, name, string(""), type));
	}
}

static void
define_metrics(OTF2_GlobalDefWriter *w)
{
	for (uint32_t i = 0; i < all->n_metrics; i++) {
		const struct otf2_metric *m = &all->metrics[i];
		OTF2_MetricMode mode =
		    m->total ? OTF2_METRIC_ACCUMULATED_START : OTF2_METRIC_ABSOLUTE_NEXT;
		xotf2(OTF2_GlobalDefWriter_WriteMetricMember(w, i, m->name, m->description,
		    OTF2_METRIC_TYPE_OTHER, mode, OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0, m->unit));
		xotf2(OTF2_GlobalDefWriter_WriteMetricClass(w, i, 1, &i, OTF2_METRIC_ASYNCHRONOUS,
		    OTF2_RECORDER_KIND_ABSTRACT));
	}
}

static void
define_places(OTF2_GlobalDefWriter *w, const char *machine)
{
	xotf2(OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, string(machine), string("machine"),
	    OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (size_t i = 0; i < all->n_groups; i++)
		xotf2(OTF2_GlobalDefWriter_WriteLocationGroup(w, (uint32_t)i, all->groups[i].name,
		    OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP));
	for (size_t i = 0; i < all->n_locations; i++) {
		const struct otf2_location *l = &all->locations[i];
		OTF2_StringRef name = l->track ? l->name : string("counters");
		xotf2(OTF2_GlobalDefWriter_WriteLocation(w, i, name,
		    l->track ? OTF2_LOCATION_TYPE_CPU_THREAD : OTF2_LOCATION_TYPE_METRIC, l->events,
		    (uint32_t)place_of(l->group)));
	}
}

static void
write_events(OTF2_Archive *a)
{
	xotf2(OTF2_Archive_OpenEvtFiles(a));
	for (size_t i = 0; i < all->n_locations; i++) {
		OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(a, i);
		if (!w)
			die_archive("no writer");
		write_slices(w, &all->locations[i]);
		write_numbers(w, &all->locations[i]);
		xotf2(OTF2_Archive_CloseEvtWriter(a, w));
	}
	xotf2(OTF2_Archive_CloseEvtFiles(a));
	xotf2(OTF2_Archive_OpenDefFiles(a));
	for (size_t i = 0; i < all->n_locations; i++)
		xotf2(OTF2_Archive_CloseDefWriter(a, OTF2_Archive_GetDefWriter(a, i)));
	xotf2(OTF2_Archive_CloseDefFiles(a));
}

/* Numbers and texts of `about` as NBSCOPE::NAME; those of the second run on have
 * RUN_2 and so on before the name. */
static void
set_properties(OTF2_Archive *a, const json_t *about, const char *prefix)
{
	const char *key;
	json_t *v;
	json_object_foreach((json_t *)(uintptr_t)about, key, v) {
		if (json_is_array(v) || json_is_object(v) || json_is_null(v))
			continue;
		char *name = xasprintf("NBSCOPE::%s%s", prefix, key);
		char *text = json_is_string(v) ? json_parse_string(v) : json_text_of(v);
		for (char *p = name; *p; p++)
			*p = (char)toupper((unsigned char)*p);
		xotf2(OTF2_Archive_SetProperty(a, name, text, true));
		free(name);
		free(text);
	}
}

static const char *
set_all_properties(OTF2_Archive *a, const json_t *about)
{
	const json_t *runs = json_object_get(about, "runs"), *run;
	size_t i;
	set_properties(a, about, "");
	json_array_foreach(runs, i, run) {
		char *prefix = i ? xasprintf("RUN_%zu::", i + 1) : xstrdup("");
		set_properties(a, run, prefix);
		free(prefix);
	}
	const json_t *machine = json_object_get(json_array_get(runs, 0), "machine");
	const char *host = json_string_value(json_object_get(machine, "host"));
	return host ? host : "machine";
}

/* Words of eight bytes, by Fowler, Noll and Vo. */
static uint64_t
digest(uint64_t hash, const void *data, size_t n)
{
	const char *p = data;
	for (size_t i = 0; i < n; i += sizeof hash) {
		uint64_t word = 0;
		memcpy(&word, p + i, n - i < sizeof word ? n - i : sizeof word);
		hash = (hash ^ word) * 0x100000001b3u;
		hash ^= hash >> 32;
	}
	return hash;
}

static uint64_t
digest_of_all(const json_t *about)
{
	char *text = json_text_of(about);
	uint64_t hash = digest(0xcbf29ce484222325u, text, strlen(text));
	for (size_t i = 0; i < all->strings.n; i++)
		hash = digest(hash, all->strings.texts[i], strlen(all->strings.texts[i]));
	for (size_t i = 0; i < all->n_locations; i++) {
		const struct otf2_location *l = &all->locations[i];
		for (size_t k = 0; k < l->n_slices; k++) {
			const struct otf2_slice *slice = &l->slices[k];
			const int64_t words[] = {slice->begin, slice->end, slice->region};
			hash = digest(hash, words, sizeof words);
		}
		hash = digest(hash, l->numbers, l->n_numbers * sizeof *l->numbers);
	}
	free(text);
	return hash;
}

/* The library gives each archive an identity by chance and the hour; ours is a digest of the
 * contents. */
static void
set_identity(uint64_t identity)
{
	char *name = xasprintf("%s/traces.otf2", path), *found = NULL;
	size_t n;
	uint64_t had;
	OTF2_Reader *r = OTF2_Reader_Open(name);
	if (!r)
		die_archive("it cannot be read back");
	xotf2(OTF2_Reader_GetTraceId(r, &had));
	OTF2_Reader_Close(r);
	char *anchor = file_read(name, MAX_ANCHOR_BYTES, &n);
	if (anchor)
		found = memmem(anchor, n, &had, sizeof had);
	if (!found)
		die_archive("its anchor file has no identity");
	memcpy(found, &identity, sizeof identity);
	struct atomic_file s;
	bool open = atomic_file_open(&s, name) == 0;
	if (!open || fwrite(anchor, 1, n, s.f) != n || atomic_file_commit(&s) != 0)
		die_archive("its anchor file cannot be written");
	free(anchor);
	free(name);
}

static void
define_all(OTF2_GlobalDefWriter *w, const char *machine)
{
	bool empty = all->earliest > all->latest;
	OTF2_TimeStamp begin = empty ? 0 : ticks(all->earliest);
	OTF2_TimeStamp end = empty ? 0 : ticks(all->latest);
	xotf2(OTF2_GlobalDefWriter_WriteClockProperties(w, TICKS_PER_SECOND, begin, end - begin + 1,
	    begin * 1000));
	define_strings(w);
	define_metrics(w);
	define_places(w, machine);
}

/* Strings that only definitions use must have their numbers before these are written. */
static void
number_strings(const char *machine)
{
	static const char *const fixed[] = {"", "counters", "machine"};
	for (size_t i = 0; i < COUNT(fixed); i++)
		string(fixed[i]);
	string(machine);
	for (size_t i = 0; i < all->attribute_names.n; i++)
		string(strchr(all->attribute_names.texts[i], ' ') + 1);
}

void
xotf2_write(struct otf2_events *e, const char *into, const char *name, const json_t *about)
{
	static const OTF2_FlushCallbacks flush = {may_flush, NULL};
	all = e;
	path = into;
	folder = name;
	OTF2_Error_RegisterCallback(note_error, NULL);
	OTF2_Archive *a = OTF2_Archive_Open(path, "traces", OTF2_FILEMODE_WRITE, EVENT_CHUNK,
	    DEF_CHUNK, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!a)
		die_archive("the archive cannot be opened");
	xotf2(OTF2_Archive_SetFlushCallbacks(a, &flush, NULL));
	xotf2(OTF2_Archive_SetSerialCollectiveCallbacks(a));
	xotf2(OTF2_Archive_SetCreator(a, "nbscope " NBSCOPE_VERSION));
	const char *machine = set_all_properties(a, about);
	number_strings(machine);
	qsort(all->groups, all->n_groups, sizeof *all->groups, by_order);
	qsort(all->locations, all->n_locations, sizeof *all->locations, by_group);
	write_events(a);
	OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(a);
	if (!w)
		die_archive("no writer of definitions");
	define_all(w, machine);
	xotf2(OTF2_Archive_Close(a));
	set_identity(digest_of_all(about));
}

#endif
