/* model_picture.c: what was on screen: pictures of a cell's output, within a number of bytes. */
#include "model_picture.h"
#include "base/die.h"
#include "base/str.h"
#include "html.h"
#include "layout/layout.h"

#include <sys/stat.h>

enum { PICTURE_BYTES = 2 << 20, SMALL_BYTES = 60000 };

char *
model_run_path(const char *folder, const struct run_summary *v, const char *end)
{
	if (!folder || !html_is_file_name(v->name))
		return NULL;
	char *run = layout_run_name(
	    &(struct layout_run){v->name, NULL, v->filmed ? LAYOUT_FILM : v->repetition});
	char *path = xasprintf("%s/%s%s", folder, run, end);
	free(run);
	return path;
}

/* The path of a file, or of a frame, "cell-004/0007.png", without any other folder; `small`: of its
 * thumbnail. */
static char *
picture_path(const char *folder, const struct run_summary *v, const char *file, bool small)
{
	const char *slash = file ? strchr(file, '/') : NULL;
	const char *dot = file ? strrchr(file, '.') : NULL;
	if (!html_is_file_name(slash ? slash + 1 : file) || *file == '.' || *file == '/' ||
	    (small && !dot))
		return NULL;
	char *end = small ? xasprintf("/%.*s.jpg", (int)(dot - file), file)
	    : xasprintf("/%s", file);
	char *path = model_run_path(folder, v, end);
	free(end);
	return path;
}

/* NULL: there is no such file, or it has more than `most` bytes. */
static json_t *
picture_at(const char *path, size_t most, size_t *bytes)
{
	struct stat st;
	most = most < *bytes ? most : *bytes;
	if (!path || stat(path, &st) != 0 || !S_ISREG(st.st_mode) || (size_t)st.st_size > most)
		return NULL;
	*bytes -= (size_t)st.st_size;
	return json_pack("{s:s, s:s}", "file", path, "type",
	    str_ends_with(path, ".jpg") ? "image/jpeg" : "image/png");
}

json_t *
model_picture(const struct report *r, const struct run_summary *v, const char *file, size_t *bytes)
{
	char *small = picture_path(r->thumbnails, v, file, true);
	char *path = picture_path(r->screenshots, v, file, false);
	struct stat st;
	json_t *picture = picture_at(small, *bytes, bytes);
	if (!picture)
		picture = picture_at(path, SMALL_BYTES, bytes);
	if (!picture)
		picture = json_pack("{s:n, s:s}", "file", "missing", path && stat(path, &st) == 0
		    ? "The picture is too large for this page." : "No picture.");
	free(small);
	free(path);
	return picture;
}

json_t *
model_picture_whole(const struct report *r, const struct run_summary *v, const char *file,
    size_t *bytes)
{
	char *path = picture_path(r->screenshots, v, file, false);
	json_t *picture = picture_at(path, PICTURE_BYTES, bytes);
	free(path);
	return picture ? picture : json_null();
}

char *
model_picture_of(const struct report *r, const struct report_notebook *k,
    const struct report_cell *c, const struct run_summary **run)
{
	const struct report_cell *film = k->film == NO_FILM ? NULL
	    : report_cell_of(r, k, k->film, c->index);
	json_t *o = report_cell_object(c), *filmed = report_cell_object(film);
	const json_t *frames = json_object_get(filmed, "frames");
	const char *file = report_text(o, "screenshot");
	*run = &r->sum.v[file || !film ? c->result : k->film];
	if (!file)
		file = report_text(json_array_get(frames, json_array_size(frames) - 1), "file");
	char *copy = file ? xstrdup(file) : NULL;
	json_decref(filmed);
	json_decref(o);
	return copy;
}
