/* png.c: an SVG picture as PNG.  librsvg draws the SVG, so that both are identical.
 * It is loaded on the first use: its 50 libraries would triple the time of an SVG. */
#include "png.h"

#include <stdio.h>

#ifdef WITH_RSVG

#include <dlfcn.h>
#include <librsvg/rsvg.h>

#define RSVG "librsvg-2.so.2"
#define FUNCTIONS(X) \
	X(rsvg_handle_new_from_data) X(rsvg_handle_get_intrinsic_size_in_pixels) \
	X(rsvg_handle_render_document) X(cairo_image_surface_create) X(cairo_create) \
	X(cairo_status) X(cairo_status_to_string) X(cairo_surface_write_to_png_stream) \
	X(cairo_destroy) X(cairo_surface_destroy) X(g_object_unref) X(g_clear_error)
#define DECLARE(f) static __typeof__(f) *p_##f;
#define LOAD(f) && (*(void **)&p_##f = dlsym(library, #f))
FUNCTIONS(DECLARE)

static bool
load_library(void)
{
	void *library = dlopen(RSVG, RTLD_NOW);
	return library FUNCTIONS(LOAD);
}

static cairo_status_t
write_bytes(void *to, const unsigned char *p, unsigned n)
{
	return buf_add(to, p, n) < 0 ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

bool
png_of_svg(struct buf *to, const struct buf *svg, char error[256])
{
	GError *e = NULL;
	gdouble width, height;
	if (!load_library()) {
		snprintf(error, 256, "cannot load %s: install librsvg2-2, or write SVG", RSVG);
		return false;
	}
	RsvgHandle *h = p_rsvg_handle_new_from_data((const guint8 *)svg->p, svg->n, &e);
	if (!h || !p_rsvg_handle_get_intrinsic_size_in_pixels(h, &width, &height)) {
		snprintf(error, 256, "%s", e ? e->message : "the picture has no size");
		return false;
	}
	cairo_surface_t *s = p_cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
	cairo_t *c = p_cairo_create(s);
	bool drawn = p_rsvg_handle_render_document(h, c, &(RsvgRectangle){0, 0, width, height}, &e);
	cairo_status_t bad = p_cairo_status(c);
	if (drawn && !bad)
		bad = p_cairo_surface_write_to_png_stream(s, write_bytes, to);
	if (!drawn || bad)
		snprintf(error, 256, "%s", e ? e->message : p_cairo_status_to_string(bad));
	p_g_clear_error(&e);
	p_cairo_destroy(c);
	p_cairo_surface_destroy(s);
	p_g_object_unref(h);
	return drawn && !bad;
}

#else

bool
png_of_svg(struct buf *to, const struct buf *svg, char error[256])
{
	(void)to, (void)svg;
	snprintf(error, 256, "built without librsvg: install librsvg2-dev and pkg-config, then run make again, or write SVG");
	return false;
}

#endif
