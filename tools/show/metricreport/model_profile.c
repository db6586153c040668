/* model_profile.c: the profiles of cells in the model of a report, which share/report/model.jq
 * makes of runprofile's records: which page has them, and the profilers' own files. */
#include "model_profile.h"
#include "base/die.h"
#include "html.h"
#include "layout/layout.h"
#include "model_cell.h"

#include <glob.h>
#include <stdio.h>

/* ---- the profilers' own files -------------------------------------------------------- */

/* The characters that a pattern of glob(3) gives a meaning lose it. */
static void
add_literal(struct buf *b, const char *text)
{
	for (; *text; text++)
		buf_addf(b, strchr("*?[]\\", *text) ? "\\%c" : "%c", *text);
}

/* They are for snakeviz, memray, speedscope or DevTools.  The folder of each run of a notebook has
 * cell-005.pstats ... */
json_t *
model_profile_files(const struct report *r, const struct report_notebook *k)
{
	json_t *list = json_array();
	struct buf pattern = {0};
	glob_t found = {0};
	if (!r->profile_files || !html_is_file_name(k->name))
		return list;
	const char *slash = strrchr(r->profile_files, '/');
	size_t above = slash ? (size_t)(slash + 1 - r->profile_files) : 0;
	char *runs = layout_profile_prefix(k->name);
	add_literal(&pattern, r->profile_files);
	buf_addf(&pattern, "/");
	add_literal(&pattern, runs);
	buf_addf(&pattern, "*/cell-*");
	if (glob(pattern.p, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			json_array_append_new(list, json_string(found.gl_pathv[i] + above));
	globfree(&found);
	buf_free(&pattern);
	free(runs);
	return list;
}

/* ---- cells ------------------------------------------------------------------------- */

json_t *
model_profile_link(const json_t *model, const struct report *r, const struct report_notebook *k,
    long index)
{
	char cell[32];
	snprintf(cell, sizeof cell, "%ld", index);
	json_t *at = json_object_get(json_object_get(model, "profiled"), cell);
	if (json_object_get(json_object_get(at, "names"), k->name))
		return json_pack("{s:o, s:n, s:O?}", "file", model_file(r, k), "notebook",
		    "sentence", json_object_get(at, "sentence"));
	return json_incref(at ? json_object_get(at, "first") : json_null());
}

void
model_set_profiles(json_t *page, const struct report_notebook *k)
{
	json_t *list = json_array(), *profile;
	size_t i;
	json_array_foreach(json_object_get(page, "profiles"), i, profile) {
		if (!json_object_get(json_object_get(profile, "names"), k->name))
			continue;
		json_t *own = json_copy(profile);
		json_object_update(own, json_object_get(json_object_get(own, "of"), k->name));
		json_array_append_new(list, own);
	}
	json_object_set_new(page, "profiles", list);
	json_object_set_new(page, "profiles_full", json_true());
}
