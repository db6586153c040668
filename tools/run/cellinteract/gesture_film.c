/* gesture_film.c: what DevTools calls a screencast: the browser sends each frame that it shows, and
 * waits for our answer before the next one. */
#include "gesture_film.h"
#include "base/die.h"
#include "base/folder.h"
#include "json/json_value.h"
#include "text/base64.h"

#include <string.h>

enum { WIDTH_PX = 800, MAX_FRAMES = 2000 };

static struct {
	const char *dir;
	size_t number;		/* of the gesture */
	json_t *frames;
} film;

void
gesture_film_begin(struct devtools *d, const char *dir, size_t number)
{
	char *path = xasprintf("%s/interaction-%03zu", dir, number);
	film.dir = dir;
	film.number = number;
	film.frames = json_array();
	folder_remove(path);
	if (folder_make(path) != 0)
		die(ST_SYSTEM, "cannot make '%s':", path);
	devtools_send(d, "Page.startScreencast", json_pack("{s:s, s:i, s:i}", "format", "png",
	    "maxWidth", WIDTH_PX, "maxHeight", WIDTH_PX));
	free(path);
}

void
gesture_film_receive(struct devtools *d, const char *method, const json_t *params)
{
	if (strcmp(method, "Page.screencastFrame") != 0)
		return;
	devtools_send(d, "Page.screencastFrameAck", json_pack("{s:O}", "sessionId",
	    json_object_get(params, "sessionId")));
	const char *png = json_string_value(json_object_get(params, "data"));
	size_t n = json_array_size(film.frames);
	if (!film.frames || !png || n == MAX_FRAMES)
		return;
	char *file = xasprintf("interaction-%03zu/%04zu.png", film.number, n);
	char *path = xasprintf("%s/%s", film.dir, file);
	double t = json_value_real_at(json_object_get(params, "metadata"), "timestamp");
	if (isfinite(t) && xbase64_write_file(path, png))
		json_array_append_new(film.frames, json_pack("{s:o, s:n, s:s, s:n}",
		    "t", json_value_time(t), "bound_ms", "file", file, "progress"));
	free(path);
	free(file);
}

json_t *
gesture_film_end(struct devtools *d, size_t cell)
{
	devtools_send(d, "Page.stopScreencast", NULL);
	json_t *frames = film.frames, *first = json_array_get(frames, 0);
	film.frames = NULL;
	if (first)
		return json_pack("{s:s, s:O, s:I, s:I, s:o}", "type", "film", "t",
		    json_object_get(first, "t"), "cell_index", (json_int_t)cell,
		    "interaction", (json_int_t)film.number, "frames", frames);
	json_decref(frames);
	return NULL;
}
