/* filmstrip.c: pictures of a cell while it runs, as many as the browser can take. */
#include "filmstrip.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/num.h"
#include "browser/page_script.h"
#include "json/json_value.h"
#include "text/base64.h"

EMBED_STATIC(page_film_js, "share/page/film.js");
extern const char page_film_js[];

enum { CALL_MS = 30000, MAX_FRAMES = 6000, WIDTH_PX = 800, STALE_NS = 10000000 };

struct filmstrip_frame {
	double t, bound_s;	/* Unix seconds of the page's clock, and the error bound */
	char *file;
};
struct filmstrip {
	struct wd *w;
	const char *dir;
	size_t index;		/* of the cell */
	struct filmstrip_frame *frames;
	size_t n;
	double width, height;	/* of the window, in CSS pixels */
	double before_t;	/* the next frame is not taken before this time */
	uint64_t before_ns;	/* when before_t was read */
};

struct filmstrip *
filmstrip_open(struct wd *w, const char *dir)
{
	char *script = page_script_protected(page_film_js);
	json_t *done = wd_script(w, script, NULL, CALL_MS), *size = NULL;
	free(script);
	if (done)
		size = wd_script(w, "return [innerWidth, innerHeight]", NULL, CALL_MS);
	json_decref(done);
	if (!size)
		return NULL;
	struct filmstrip *f = xmalloc(sizeof *f);
	*f = (struct filmstrip){.w = w, .dir = dir,
		.width = json_number_value(json_array_get(size, 0)),
		.height = json_number_value(json_array_get(size, 1))};
	json_decref(size);
	return f;
}

static double
page_t(struct filmstrip *f)
{
	json_t *t = wd_script(f->w, "return window.__nbscopeFilm.now()", NULL, CALL_MS);
	double now = json_is_number(t) ? json_number_value(t) : clock_unix_s();
	json_decref(t);
	return now;
}

/* Chromium scales the picture while it takes it; other browsers take a full one. */
static json_t *
take_picture(const struct filmstrip *f)
{
	json_t *params = json_pack("{s:s, s:b, s:{s:i, s:i, s:f, s:f, s:f}}", "format", "png",
	    "optimizeForSpeed", 1, "clip", "x", 0, "y", 0, "width", f->width, "height", f->height,
	    "scale", f->width > WIDTH_PX ? WIDTH_PX / f->width : 1.0);
	json_t *answer = wd_script_cdp(f->w, "Page.captureScreenshot", params);
	json_t *png = json_incref(json_object_get(answer, "data"));
	json_decref(answer);
	return png ? png : wd_call(f->w, "GET", "screenshot", NULL, CALL_MS);
}

static char *
frame_path(const struct filmstrip *f, const char *file)
{
	return xasprintf("%s/%s", f->dir, file);
}

void
filmstrip_add_frame(struct filmstrip *f)
{
	if (f->n == MAX_FRAMES)
		return;
	if (clock_monotonic_ns() - f->before_ns > STALE_NS)	/* after a key press, for example */
		f->before_t = page_t(f);
	json_t *png = take_picture(f);
	double after_t = page_t(f);
	f->before_ns = clock_monotonic_ns();
	if (json_is_string(png)) {
		struct filmstrip_frame *frame = XAPPEND(f->frames, f->n);
		*frame = (struct filmstrip_frame){
			.t = (f->before_t + after_t) / 2, .bound_s = (after_t - f->before_t) / 2,
			.file = xasprintf("cell-%03zu/%04zu.png", f->index, f->n),
		};
		char *path = frame_path(f, frame->file);
		xbase64_write_file(path, json_string_value(png));
		free(path);
	}
	f->before_t = after_t;
	json_decref(png);
}

void
filmstrip_begin(struct filmstrip *f, const struct notebook_cell *c)
{
	char *dir = xasprintf("%s/cell-%03zu", f->dir, c->index);
	for (size_t i = 0; i < f->n; i++)
		free(f->frames[i].file);
	f->index = c->index;
	f->n = 0;
	folder_remove(dir);
	if (folder_make(dir) != 0)
		die(ST_SYSTEM, "cannot make '%s':", dir);
	free(dir);
	f->before_t = page_t(f);
	filmstrip_add_frame(f);
}

static void
send_frame(struct filmstrip *f, const char *file, json_t *crop)
{
	size_t n;
	char *path = frame_path(f, file), *png = file_read(path, 1 << 26, &n);
	char *text = png ? base64_encode(png, n) : NULL;
	json_decref(wd_script_async(f->w, "window.__nbscopeFilm.add(arguments[0], arguments[1])"
	    ".then(() => done(true), e => done(null))",
	    json_pack("[s, O]", text ? text : "", crop), CALL_MS));
	free(text);
	free(png);
	free(path);
}

/* The page decodes the PNGs and compares them. */
static json_t *
visual_progress(struct filmstrip *f)
{
	json_t *crop = wd_script(f->w, "window.__nbscopeFilm.begin();"
	    "return window.__nbscopeFilm.crop()", NULL, CALL_MS);
	if (!crop)
		return NULL;
	for (size_t i = 0; i < f->n; i++)
		send_frame(f, f->frames[i].file, crop);
	json_decref(crop);
	return wd_script(f->w, "return window.__nbscopeFilm.progress()", NULL, CALL_MS);
}

json_t *
filmstrip_end(struct filmstrip *f, bool changed)
{
	if (f->n == 0)
		return NULL;
	filmstrip_add_frame(f);	/* the final state */
	json_t *progress = changed ? visual_progress(f) : NULL, *frames = json_array();
	for (size_t i = 0; i < f->n; i++) {
		const struct filmstrip_frame *frame = &f->frames[i];
		json_t *p = json_array_get(progress, i);
		double share = json_is_number(p) ? num_round(json_number_value(p), 4) : (double)NAN;
		json_array_append_new(frames, json_pack("{s:o, s:o, s:s, s:o}",
		    "t", json_value_time(frame->t),
		    "bound_ms", json_value_ms(frame->bound_s * 1000), "file", frame->file,
		    "progress", json_value_real(share)));
	}
	json_decref(progress);
	return json_pack("{s:s, s:o, s:I, s:o}", "type", "film",
	    "t", json_value_time(f->frames[0].t), "cell_index", (json_int_t)f->index,
	    "frames", frames);
}
