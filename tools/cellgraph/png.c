/* png.c: an SVG picture as PNG.  librsvg draws what the SVG says, so that the
 * two can never differ. */
#include "png.h"

#ifdef WITH_RSVG

#include <librsvg/rsvg.h>

static cairo_status_t
take_bytes(void *to, const unsigned char *p, unsigned n)
{
	return buf_add(to, p, n) < 0 ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

bool
png_of_svg(struct buf *to, const struct buf *svg, char error[256])
{
	GError *e = NULL;
	gdouble width, height;
	RsvgHandle *h = rsvg_handle_new_from_data((const guint8 *)svg->p, svg->n, &e);
	if (!h || !rsvg_handle_get_intrinsic_size_in_pixels(h, &width, &height)) {
		snprintf(error, 256, "%s", e ? e->message : "the picture has no size");
		return false;
	}
	cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
	cairo_t *c = cairo_create(s);
	bool drawn = rsvg_handle_render_document(h, c, &(RsvgRectangle){0, 0, width, height}, &e);
	cairo_status_t bad = cairo_status(c);
	if (drawn && !bad)
		bad = cairo_surface_write_to_png_stream(s, take_bytes, to);
	if (!drawn || bad)
		snprintf(error, 256, "%s", e ? e->message : cairo_status_to_string(bad));
	g_clear_error(&e);
	cairo_destroy(c);
	cairo_surface_destroy(s);
	g_object_unref(h);
	return drawn && !bad;
}

#else

bool
png_of_svg(struct buf *to, const struct buf *svg, char error[256])
{
	(void)to, (void)svg;
	snprintf(error, 256, "built without librsvg: install librsvg2-dev and pkg-config, then make again, or write SVG");
	return false;
}

#endif
