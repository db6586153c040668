/* report_picture.c: what was on screen: pictures of a cell's output, within a number of bytes. */
#include "report_picture.h"
#include "base/die.h"
#include "base/str.h"
#include "html.h"
#include "layout/layout.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PICTURE_BYTES = 2 << 20, SMALL_BYTES = 60000 };

/* A file's name, or that of a frame, "cell-004/0007.png", without any other folder. */
static bool
is_picture_name(const char *file)
{
	const char *slash = file ? strchr(file, '/') : NULL;
	if (!slash)
		return html_is_file_name(file);
	char *folder = xasprintf("%.*s", (int)(slash - file), file);
	bool ok = html_is_file_name(folder) && html_is_file_name(slash + 1);
	free(folder);
	return ok;
}

/* FOLDER/RUN/FILE; NULL: a name is not valid. */
static char *
picture_path(const char *folder, const struct run_summary *v, const char *file)
{
	if (!folder || !is_picture_name(file) || !html_is_file_name(v->name))
		return NULL;
	char *run = layout_run_name(
	    &(struct layout_run){v->name, NULL, v->filmed ? LAYOUT_FILM : v->repetition});
	char *path = xasprintf("%s/%s/%s", folder, run, file);
	free(run);
	return path;
}

/* "cell-004.jpg" for "cell-004.png" */
static char *
thumbnail_path(const struct report *r, const struct run_summary *v, const char *file)
{
	const char *dot = file ? strrchr(file, '.') : NULL;
	char *name = dot ? xasprintf("%.*s.jpg", (int)(dot - file), file) : NULL;
	char *path = picture_path(r->thumbnails, v, name);
	free(name);
	return path;
}

/* Adds the <img> if the file exists and has at most `most` bytes; returns its size. */
static size_t
put_image(struct buf *b, const char *path, const char *about, size_t most)
{
	struct stat st;
	struct buf data = {0};
	if (!path || stat(path, &st) != 0 || !S_ISREG(st.st_mode) || (size_t)st.st_size > most)
		return 0;
	const char *type = str_ends_with(path, ".jpg") ? "image/jpeg" : "image/png";
	if (html_data(&data, path, type, most)) {
		buf_addf(b, "<img loading=\"lazy\" alt=\"");
		html_text(b, about);
		buf_addf(b, "\" src=\"");
		buf_add(b, data.p, data.n);
		buf_addf(b, "\">");
	}
	size_t n = data.n ? (size_t)st.st_size : 0;
	buf_free(&data);
	return n;
}

static size_t
smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

void
report_picture(struct buf *b, const struct report *r, const struct run_summary *v, const char *file,
    const char *about, struct picture_budget *budget)
{
	char *small = thumbnail_path(r, v, file), *path = picture_path(r->screenshots, v, file);
	struct stat st;
	size_t n = put_image(b, small, about, budget->bytes);
	if (!n)
		n = put_image(b, path, about, smaller(budget->bytes, SMALL_BYTES));
	if (!n)
		buf_addf(b, "<span class=\"none\">%s</span>", path && stat(path, &st) == 0
		    ? "The picture is too large for this page." : "No picture.");
	budget->bytes -= n;
	free(small);
	free(path);
}

void
report_picture_whole(struct buf *b, const struct report *r, const struct run_summary *v,
    const char *file, const char *about, struct picture_budget *budget)
{
	char *path = picture_path(r->screenshots, v, file);
	struct buf image = {0};
	size_t n = put_image(&image, path, about, smaller(budget->bytes, PICTURE_BYTES));
	if (n) {
		buf_addf(b, "<figure class=\"picture shot\">");
		buf_add(b, image.p, image.n);
		buf_addf(b, "<figcaption>");
		html_text(b, about);
		buf_addf(b, "</figcaption></figure>");
	}
	budget->bytes -= n;
	buf_free(&image);
	free(path);
}

const char *
report_picture_of(const struct report *r, const struct book *k, const struct report_cell *c,
    const struct run_summary **run)
{
	*run = &r->sum.v[c->result];
	if (c->screenshot)
		return c->screenshot;
	const struct report_cell *film = k->film == NO_FILM ? NULL
	    : report_cell_of(r, k, k->film, c->index);
	size_t n = film ? json_array_size(film->frames) : 0;
	if (!n)
		return NULL;
	*run = &r->sum.v[k->film];
	return json_string_value(json_object_get(json_array_get(film->frames, n - 1), "file"));
}
