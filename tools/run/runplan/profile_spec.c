/* profile_spec.c: what a profiler pass is to find in a notebook. */
#include "profile_spec.h"
#include "base/die.h"
#include "base/file.h"
#include "json/json_text.h"
#include "json/json_write.h"
#include "json/scan.h"

enum { LIMIT_BYTES = 1 << 20 };

static json_t *specs;	/* {name: spec} */

static void
read_spec(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	char *name = scan_string(s, "name");
	json_t *spec = span_json(scan_get(s, "spec"));
	(void)line, (void)len;
	if (!name || !json_is_object(spec))
		die(ST_INPUT, "%s:%lu:1: no \"name\" or no \"spec\"", in->name, in->number);
	json_object_set_new(specs, name, spec);
	free(name);
}

void
xprofile_spec_read(const char *path)
{
	char *list[] = {(char *)(uintptr_t)path, NULL};
	specs = json_object();
	xscan_files(list, read_spec);
}

bool
xprofile_spec_write(const struct layout *l, const char *name, const char *pass)
{
	json_t *spec = json_object_get(specs, name);
	if (!spec)
		return false;
	char *path = layout_profile_spec(l, name, pass);
	xjson_write(path, spec);
	free(path);
	return true;
}

static void
set_text(json_t *settings, const char *name, char *text)
{
	if (text && *text)
		json_object_set_new(settings, name, json_string(text));
	free(text);
}

static char *
words_of(const json_t *list)
{
	struct buf b = {0};
	size_t i;
	json_t *word;
	json_array_foreach(list, i, word)
		buf_addf(&b, "%s%s", i ? " " : "", json_string_value(word));
	return b.p;
}

/* Each under its name, after profile_. */
static void
set_members(json_t *settings, const json_t *spec)
{
	static const char *const names[] = {"decorators", "delays", "watch", "down", "latency"};
	for (size_t i = 0; i < COUNT(names); i++) {
		const json_t *value = json_object_get(spec, names[i]);
		char *name = xasprintf("profile_%s", names[i]);
		set_text(settings, name, value ? json_text_of(value) : NULL);
		free(name);
	}
}

json_t *
profile_spec_settings(const struct layout *l, const char *name, const char *pass)
{
	size_t n;
	char *path = layout_profile_spec(l, name, pass);
	char *text = file_read(path, LIMIT_BYTES, &n);
	json_t *spec = text ? json_loadb(text, n, 0, NULL) : NULL;
	free(path);
	free(text);
	if (!json_is_object(spec)) {
		json_decref(spec);
		return NULL;
	}
	json_t *settings = json_object(), *cells = json_object_get(spec, "cells");
	json_t *rounds = json_object_get(spec, "rounds");
	bool tagged = !cells || json_is_null(cells);
	set_text(settings, "profile_cells", tagged ? xstrdup("tagged") : json_text_of(cells));
	set_text(settings, "profile_functions", words_of(json_object_get(spec, "functions")));
	if (json_is_string(json_object_get(spec, "overlay")))
		set_text(settings, "profile_overlay", xstrdup("yes"));
	set_members(settings, spec);
	if (rounds)
		set_text(settings, "profile_rounds", xasprintf("%lld of %s", (long long)
		    json_integer_value(rounds), json_string_value(json_object_get(spec, "round"))));
	json_decref(spec);
	return settings;
}
