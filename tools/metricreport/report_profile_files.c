/* report_profile_files.c: links to the files that profilers made of a cell: for snakeviz, memray,
 * speedscope or DevTools.  A folder for each run, NAME@profile-PASS, has cell-005.pstats ... */
#include "report_profile_files.h"
#include "base/die.h"
#include "base/str.h"
#include "html.h"
#include "layout/layout.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* Names in a folder that begin so, in order: NULL at the end; the caller's. */
static char **
names_beginning(const char *folder, const char *begin)
{
	struct dirent **entries = NULL;
	int n = scandir(folder, &entries, NULL, alphasort);
	char **names = xmalloc(((size_t)(n > 0 ? n : 0) + 1) * sizeof *names), **to = names;
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;
		if (strncmp(name, begin, strlen(begin)) == 0 && html_is_file_name(name))
			*to++ = xstrdup(name);
		free(entries[i]);
	}
	free(entries);
	*to = NULL;
	return names;
}

static void
free_names(char **names)
{
	for (char **p = names; *p; p++)
		free(*p);
	free(names);
}

static bool
is_of_page(const char *file)
{
	return str_ends_with(file, ".cpuprofile") || strstr(file, "-page.");
}

static void
put_link(struct buf *b, const struct report *r, const char *run, const char *file)
{
	const char *slash = strrchr(r->profile_files, '/');
	buf_addf(b, "<a download href=\"%s", r->now == REPORT_PAGE ? "../" : "");
	html_url(b, slash ? slash + 1 : r->profile_files);
	buf_addf(b, "/");
	html_url(b, run);
	buf_addf(b, "/");
	html_url(b, file);
	buf_addf(b, "\">");
	html_text(b, file);
	buf_addf(b, "</a>");
}

void
report_profile_files(struct buf *b, const struct report *r, const char *notebook,
    const struct profile_cell *c)
{
	if (!r->profile_files || !html_is_file_name(notebook))
		return;
	char *begin = layout_profile_prefix(notebook), *cell = xasprintf("cell-%03ld", c->index);
	char **runs = names_beginning(r->profile_files, begin);
	size_t n = 0;
	for (char **run = runs; *run; run++) {
		char *folder = xasprintf("%s/%s", r->profile_files, *run);
		char **files = names_beginning(folder, cell);
		for (char **file = files; *file; file++) {
			const char *after = *file + strlen(cell);
			if (!strchr(".-@", *after) || is_of_page(*file) != c->page)
				continue;
			buf_addf(b, n++ ? ", " : "<p class=\"meta\">files for other viewers: ");
			put_link(b, r, *run, *file);
		}
		free_names(files);
		free(folder);
	}
	buf_addf(b, n ? "</p>\n" : "");
	free_names(runs);
	free(begin);
	free(cell);
}
