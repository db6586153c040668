/* made_from.c: what a run is made from: the member made_from of its `run` record. */
#include "made_from.h"
#include "digest.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/file.h"
#include "json/json_value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS_LIMIT_BYTES = 1 << 20, MAX_FILES = 64, SHOWN = 60 };

static json_t *settings;	/* of the label */
static json_t *made_files;	/* {name: digest}; NULL: there are none */
static char *environment;
static const char *files[MAX_FILES];
static size_t n_files;
static char files_hex[DIGEST_HEX];

/* Names, separated by blanks. */
static void
set_made_files(char *names)
{
	made_files = json_object();
	for (char *name; (name = strsep(&names, " ")); )
		if (*name)
			json_object_set_new(made_files, name, json_null());
}

void
xmade_from_settings(const char *path)
{
	size_t n;
	char *text = file_read(path, SETTINGS_LIMIT_BYTES, &n), *rest = text, *line;
	if (!text)
		die(ST_SYSTEM, "cannot read '%s':", path);
	settings = json_object();
	for (unsigned long number = 1; (line = strsep(&rest, "\n")); number++) {
		char *value = strchr(line, '=');
		if (!value && *line)
			die(ST_INPUT, "%s:%lu:1: not NAME=VALUE", path, number);
		if (!value || !value[1])
			continue;
		*value++ = '\0';
		if (strcmp(line, "environment") == 0)
			environment = xstrdup(value);
		else if (strcmp(line, "made_files") == 0)
			set_made_files(value);
		else if (json_object_set_new(settings, line, json_string(value)) != 0)
			die(ST_INPUT, "%s:%lu:1: not UTF-8", path, number);
	}
	free(text);
}

void
made_from_add_file(const char *path)
{
	if (n_files == MAX_FILES)
		die(ST_USAGE, "more than %d --with-file", MAX_FILES);
	files[n_files++] = path;
}

json_t *
xmade_from_now(const char *notebook)
{
	char hex[DIGEST_HEX], *kernel = xdigest_notebook(notebook, hex);
	if (!kernel)
		return NULL;
	if (n_files && !*files_hex)
		xdigest_files(files, n_files, made_files, files_hex);
	json_t *own = settings ? json_copy(settings) : json_object();
	if (!json_object_get(own, "kernel") && *kernel)
		json_object_set_new(own, "kernel", json_string(kernel));
	free(kernel);
	return json_pack("{s:s, s:o, s:O*, s:o, s:o}", "notebook", hex,
	    "files", json_value_text(files_hex), "made_files", made_files,
	    "environment", json_value_text(environment),
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
		{"environment", "packages"},
	};
	struct buf b = {0};
	const char *name;
	json_t *v, *before = json_object_get(recorded, "settings");
	json_t *after = json_object_get(now, "settings");
	for (size_t i = 0; i < COUNT(parts); i++) {
		const char *key = parts[i].key;
		if (!json_equal(json_object_get(recorded, key), json_object_get(now, key)))
			add_part(&b, parts[i].words);
	}
	json_object_foreach(before, name, v)
		add_setting(&b, name, before, after);
	json_object_foreach(after, name, v)
		if (!json_object_get(before, name))
			add_setting(&b, name, before, after);
	return b.p;
}
