/* film.c: a film of a cell, frame by frame as fast as the browser gives them. */
#include "film.h"
#include "keep.h"

#include <stdlib.h>
#include <string.h>

#include "embed.h"

EMBED(page_film_js, "share/page/film.js");
extern const char page_film_js[];

enum { CALL_MS = 30000, MOST_FRAMES = 6000, WIDTH_PX = 800, STALE_NS = 10000000 };

struct frame {
	double t, bound_s;	/* unix seconds on the page's clock, and by how much it may be wrong */
	char *file;
};
struct film {
	struct wd *w;
	const char *dir;
	size_t index;		/* of the cell */
	struct frame *frames;
	size_t n;
	double width, height;	/* of the window, CSS pixels */
	double before_t;	/* nothing was taken before it */
	uint64_t asked_ns;	/* when that was asked */
};

struct film *
film_open(struct wd *w, const char *dir)
{
	json_t *done = wd_script(w, page_film_js, NULL, CALL_MS);
	json_t *size = done ? wd_script(w, "return [innerWidth, innerHeight]", NULL, CALL_MS) : NULL;
	json_decref(done);
	if (!size)
		return NULL;
	struct film *f = xmalloc(sizeof *f);
	*f = (struct film){.w = w, .dir = dir, .frames = xmalloc(MOST_FRAMES * sizeof *f->frames),
		.width = json_number_value(json_array_get(size, 0)), .height = json_number_value(json_array_get(size, 1))};
	json_decref(size);
	return f;
}

static double
page_t(struct film *f)
{
	json_t *t = wd_script(f->w, "return window.__nbscopeFilm.now()", NULL, CALL_MS);
	double now = json_is_number(t) ? json_number_value(t) : now_t();
	json_decref(t);
	return now;
}

/* Chromium scales while it takes the picture; any browser gives a whole one. */
static json_t *
picture(const struct film *f)
{
	json_t *params = json_pack("{s:s, s:b, s:{s:i, s:i, s:f, s:f, s:f}}", "format", "png", "optimizeForSpeed", 1,
	    "clip", "x", 0, "y", 0, "width", f->width, "height", f->height,
	    "scale", f->width > WIDTH_PX ? WIDTH_PX / f->width : 1.0);
	json_t *answer = wd_cdp(f->w, "Page.captureScreenshot", params), *png = json_incref(json_object_get(answer, "data"));
	json_decref(params);
	json_decref(answer);
	return png ? png : wd_call(f->w, "GET", "screenshot", NULL, CALL_MS);
}

static char *
path_of(const struct film *f, const char *file)
{
	return xasprintf("%s/%s", f->dir, file);
}

void
film_frame(struct film *f)
{
	if (f->n == MOST_FRAMES)
		return;
	if (now_ns() - f->asked_ns > STALE_NS)	/* the press and its like came between */
		f->before_t = page_t(f);
	json_t *png = picture(f);
	double after = page_t(f);
	f->asked_ns = now_ns();
	if (json_is_string(png)) {
		struct frame *frame = &f->frames[f->n];
		*frame = (struct frame){.t = (f->before_t + after) / 2, .bound_s = (after - f->before_t) / 2,
			.file = xasprintf("cell-%03zu/%04zu.png", f->index, f->n + 1)};
		char *path = path_of(f, frame->file);
		xkeep_base64(path, json_string_value(png));
		f->n++;
		free(path);
	}
	f->before_t = after;
	json_decref(png);
}

void
film_begin(struct film *f, const struct cell *c)
{
	char *dir = xasprintf("%s/cell-%03zu", f->dir, c->index);
	for (size_t i = 0; i < f->n; i++)
		free(f->frames[i].file);
	f->index = c->index;
	f->n = 0;
	remove_tree(dir);
	if (make_dirs(dir) != 0)
		die(ST_SYSTEM, "cannot make '%s':", dir);
	free(dir);
	f->before_t = page_t(f);
	film_frame(f);
}

/* The frames' files once more, into the page that knows how to read a PNG. */
static json_t *
progress(struct film *f)
{
	json_t *crop = wd_script(f->w, "window.__nbscopeFilm.begin(); return window.__nbscopeFilm.crop()", NULL, CALL_MS);
	for (size_t i = 0; crop && i < f->n; i++) {
		size_t n;
		char *path = path_of(f, f->frames[i].file), *data = read_file(path, 1 << 26, &n), *text = data ? base64_encode(data, n) : NULL;
		json_t *args = json_pack("[s, O]", text ? text : "", crop);
		json_decref(wd_async(f->w, "const done = arguments[arguments.length - 1];"
		    "window.__nbscopeFilm.add(arguments[0], arguments[1]).then(() => done(true), e => done(null))", args, CALL_MS));
		json_decref(args);
		free(text);
		free(data);
		free(path);
	}
	json_decref(crop);
	return crop ? wd_script(f->w, "return window.__nbscopeFilm.progress()", NULL, CALL_MS) : NULL;
}

json_t *
film_end(struct film *f, bool drawn)
{
	if (f->n == 0)
		return NULL;
	film_frame(f);	/* what it has come to */
	json_t *all = drawn ? progress(f) : NULL, *frames = json_array();
	for (size_t i = 0; i < f->n; i++) {
		json_t *p = json_array_get(all, i);
		json_array_append_new(frames, json_pack("{s:o, s:o, s:s, s:o}", "t", json_t_of(f->frames[i].t),
		    "bound_ms", json_ms(f->frames[i].bound_s * 1000), "file", f->frames[i].file,
		    "progress", json_is_number(p) ? json_real(round_to(json_number_value(p), 4)) : json_null()));
	}
	json_decref(all);
	return json_pack("{s:s, s:o, s:I, s:o}", "type", "film", "t", json_t_of(f->frames[0].t), "cell_index", (json_int_t)f->index, "frames", frames);
}

void
film_close(struct film *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->frames[i].file);
	free(f->frames);
	free(f);
}
