/* model_profile_files.c: the files that profilers made of a cell, for snakeviz, memray, speedscope
 * or DevTools.  A folder for each run, NAME@profile-PASS, has cell-005.pstats ... */
#include "model_profile_files.h"
#include "base/die.h"
#include "base/str.h"
#include "html.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

static bool
is_of_page(const char *file)
{
	return str_ends_with(file, ".cpuprofile") || strstr(file, "-page.");
}

/* The folder of profiles, without those above it, the run's and the file. */
static char *
address_of(const struct report *r, const char *path, bool page)
{
	const char *slash = strrchr(r->profile_files, '/');
	struct buf b = {0};
	buf_addf(&b, page ? "../" : "");
	html_url(&b, path + (slash ? slash + 1 - r->profile_files : 0));
	return b.p;
}

/* The characters that a pattern of glob(3) gives a meaning lose it. */
static void
add_literal(struct buf *b, const char *text)
{
	for (; *text; text++)
		buf_addf(b, strchr("*?[]\\", *text) ? "\\%c" : "%c", *text);
}

void
model_profile_files(json_t *list, const struct report *r, const char *notebook,
    const struct profile_cell *c, const struct report_notebook *page)
{
	struct buf pattern = {0};
	glob_t found = {0};
	if (!r->profile_files || !html_is_file_name(notebook))
		return;
	add_literal(&pattern, r->profile_files);
	buf_addf(&pattern, "/");
	add_literal(&pattern, notebook);
	buf_addf(&pattern, "@profile-*/cell-%03ld[-.@]*", c->index);
	if (glob(pattern.p, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const char *path = found.gl_pathv[i], *name = strrchr(path, '/') + 1;
			if (is_of_page(name) != c->page)
				continue;
			char *href = address_of(r, path, page);
			json_array_append_new(list, json_pack("{s:s, s:s}", "name", name, "href",
			    href));
			free(href);
		}
	globfree(&found);
	buf_free(&pattern);
}
