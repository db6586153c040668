/* plot_figure.c: a figure's views, title and notes. */
#include "plot_figure.h"
#include "base/die.h"
#include "figure_template.h"
#include "plot_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void
plot_figure_start(struct drawing *f, double width)
{
	*f = (struct drawing){.width = width, .notes = json_array(), .views = json_array(),
		.dark = json_object()};
}

void
plot_figure_free(struct drawing *f)
{
	json_decref(f->notes);
	json_decref(f->views);
	json_decref(f->dark);
	free(f->id);
	free(f->title);
	free(f->subtitle);
	free(f->about);
}

void
plot_figure_note(struct drawing *f, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = xvasprintf(fmt, ap);
	va_end(ap);
	json_array_append_new(f->notes, figure_text(text));
	free(text);
}

void
plot_figure_view(struct drawing *f, const char *name, json_t *values)
{
	json_array_append_new(f->views, figure_template_fill(name, values));
	json_decref(values);
}

static size_t
add_lines(json_t *to, const char *text, double px, double room)
{
	size_t n;
	char **lines = plot_text_wrap(text, px, room, &n);
	for (size_t i = 0; i < n; i++)
		json_array_append_new(to, figure_text(lines[i]));
	plot_text_free(lines, n);
	return n;
}

json_t *
plot_figure_spec(const struct drawing *f)
{
	size_t i;
	json_t *note, *view = json_array_get(f->views, 0);
	double room = f->width - 2 * PX_EDGE;
	struct figure_head head = {.id = f->id, .about = f->about, .width = f->width,
		.dark = f->dark, .title = f->title && *f->title ? f->title : f->about,
		.lines = json_array()};
	if (f->title)
		head.title_lines = add_lines(head.lines, f->title, PX_TITLE * 1.12, room);
	if (f->subtitle)
		add_lines(head.lines, f->subtitle, PX_SMALL, room);
	json_array_foreach(f->notes, i, note)
		add_lines(head.lines, json_string_value(note), PX_SMALL, room);
	/* A view with a title of its own is within the figure's. */
	if (json_array_size(f->views) == 1 && !json_object_get(view, "title"))
		view = json_incref(view);
	else
		view = json_pack("{s:O, s:i}", "concat", f->views, "columns", (int)f->across);
	json_t *spec = figure_template_spec(view, &head);
	json_decref(view);
	json_decref(head.lines);
	return spec;
}
