/* made_from.c: what a run is made from: the member made_from of its `run` record. */
#include "made_from.h"
#include "digest.h"
#include "run_settings.h"
#include "base/buf.h"
#include "base/die.h"
#include "json/json_value.h"

#include <unistd.h>

enum { SHOWN = 60 };

static char *files[LAYOUT_FILES];
static size_t n_files;
static char files_hex[DIGEST_HEX];
static char *interactions, interactions_hex[DIGEST_HEX];

/* Gestures need a page. */
static bool
performs(void)
{
	const char *set = run_settings_of_plan("interactions");
	return !run_settings_is("browser", "none") && !(set && strcmp(set, "0") == 0);
}

void
made_from_find(const struct layout *l)
{
	interactions = performs() ? layout_interactions(l) : NULL;
	if (interactions && access(interactions, F_OK) != 0) {
		free(interactions);
		interactions = NULL;
	}
	for (size_t i = 0; i < LAYOUT_FILES; i++) {
		char *path = layout_files(l, i);
		if (access(path, F_OK) == 0)
			files[n_files++] = path;
		else
			free(path);
	}
}

size_t
made_from_files(char *const **paths)
{
	*paths = files;
	return n_files;
}

const char *
made_from_interactions(void)
{
	return interactions;
}

const char *
made_from_pace(void)
{
	static const char fast[] = "fast";
	const char *set = run_settings_of_plan("interactions");
	return set && strcmp(set, fast) == 0 ? fast : NULL;
}

json_t *
xmade_from_now(const char *notebook, json_t *profile)
{
	char hex[DIGEST_HEX], *kernel = xdigest_notebook(notebook, hex);
	json_t *made_files = run_settings_made_files();
	if (!kernel)
		return NULL;
	if (n_files && !*files_hex)
		xdigest_files((const char *const *)files, n_files, made_files, files_hex);
	if (interactions && !*interactions_hex)
		xdigest_files(&(const char *){interactions}, 1, NULL, interactions_hex);
	json_t *own = json_copy((json_t *)(uintptr_t)run_settings());
	if (profile)
		json_object_update(own, profile);
	if (interactions && made_from_pace())
		json_object_set_new(own, "interactions", json_string(made_from_pace()));
	if (!json_object_get(own, "kernel") && *kernel)
		json_object_set_new(own, "kernel", json_string(kernel));
	free(kernel);
	return json_pack("{s:s, s:o, s:O*, s:s*, s:o, s:o}", "notebook", hex,
	    "files", json_value_text(files_hex), "made_files", made_files,
	    "interactions", interactions ? interactions_hex : NULL,
	    "environment", json_value_text(run_settings_environment()),
	    "settings", own);
}

static const char *
setting_of(const json_t *all, const char *name)
{
	const char *value = json_string_value(json_object_get(all, name));
	return value ? value : "unset";
}

static void
add_part(struct buf *b, const char *words)
{
	buf_addf(b, "%s%s", b->n ? ", " : "", words);
}

static void
add_setting(struct buf *b, const char *name, const json_t *before, const json_t *now)
{
	const char *x = setting_of(before, name), *y = setting_of(now, name);
	if (strcmp(x, y) == 0)
		return;
	add_part(b, "setting ");
	buf_addf(b, "%s %.*s -> %.*s", name, SHOWN, x, SHOWN, y);
}

char *
made_from_difference(const json_t *recorded, const json_t *now)
{
	static const struct {
		const char *key, *words;
	} parts[] = {
		{"notebook", "template or parameters"},
		{"files", "files/"},
		{"interactions", "interactions.jsonl"},
		{"environment", "packages"},
	};
	struct buf b = {0};
	const char *name;
	json_t *v, *before = json_object_get(recorded, "settings");
	json_t *after = json_object_get(now, "settings");
	for (size_t i = 0; i < COUNT(parts); i++) {
		const json_t *x = json_object_get(recorded, parts[i].key);
		const json_t *y = json_object_get(now, parts[i].key);
		if ((x || y) && !json_equal(x, y))
			add_part(&b, parts[i].words);
	}
	json_object_foreach(before, name, v)
		add_setting(&b, name, before, after);
	json_object_foreach(after, name, v)
		if (!json_object_get(before, name))
			add_setting(&b, name, before, after);
	return b.p;
}
