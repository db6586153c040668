/* plot.c: a figure that is being made: what is said of it, and its specification. */
#include "plot.h"
#include "base/buf.h"
#include "base/die.h"
#include "figure/figure_theme.h"
#include "figure_template.h"
#include "metric/metric_column.h"
#include "plot_kind.h"
#include "text/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* An id that is valid in every page: letters, digits, '-' and '_', beginning with a letter; the
 * caller's. */
static char *
id_of(const struct figure_plan *f)
{
	const char *output = f->o.outputs.n ? f->o.outputs.v[0] : NULL, *slash, *from = f->o.id;
	if (!from)
		from = !output ? plot_kind_text(f->kind, "kind", NULL) :
		    (slash = strrchr(output, '/')) ? slash + 1 : output;
	const char *dot = f->o.id ? NULL : strrchr(from, '.');
	size_t n = dot && dot > from ? (size_t)(dot - from) : strlen(from);
	bool letter = (from[0] | 32) >= 'a' && (from[0] | 32) <= 'z';
	char *text = xasprintf("%s%.*s", letter ? "" : "f", (int)n, from);
	for (char *c = text; *c; c++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", *c))
			*c = '-';
	return text;
}

void
plot_note(struct plotting *p, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = xvasprintf(fmt, ap);
	va_end(ap);
	json_array_append_new(p->notes, figure_text(text));
	free(text);
}

_Noreturn void
plot_empty(struct plotting *p, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = xvasprintf(fmt, ap);
	va_end(ap);
	if (!p->plan->is_one_of_several)
		die(ST_UNKNOWN, "%s", text);
	char *id = id_of(p->plan);
	warn("%s: %s", id, text);
	free(id);
	free(text);
	longjmp(p->empty, 1);
}

_Noreturn void
plot_empty_figure(struct plotting *p)
{
	plot_empty(p, "nothing to draw: %s", !p->s.t.n_rows ? "the table has no rows" :
	    !p->s.g.n ? "no row matches --where" : "none of these columns has a value");
}

/* A description for screen readers. */
static char *
about_of(const struct plotting *p)
{
	struct buf b = {0};
	size_t n = 0, n_of = p->n_of - p->plan->n_params;
	buf_addf(&b, "%s", plot_kind_text(p->kind, "kind", NULL));
	for (size_t i = 0; i < n_of; i++) {
		if (p->of[i].title)
			continue;
		char *what = plot_measure_shown(&p->of[i], p->kind);
		buf_addf(&b, "%s %s", n++ ? "," : " of", what);
		free(what);
	}
	if (*p->by_title)
		buf_addf(&b, " by %s", p->by_title);
	for (size_t i = 0; i < p->plan->against.n; i++) {
		char *title = metric_column_title(p->plan->against.v[i]);
		buf_addf(&b, "%s %s", i ? "," : " against", title);
		free(title);
	}
	size_t rows = p->s.g.n ? p->s.g.first[p->s.g.n] : 0;
	buf_addf(&b, ": %zu group%s, %zu rows", p->s.g.n, text_plural(p->s.g.n), rows);
	return b.p;
}

/* Lines of at most this many letters, broken at blanks where there are some. */
static void
add_lines(json_t *to, const char *text, size_t most)
{
	while (*text) {
		size_t n = 0, letters = 0, good = 0;
		for (; text[n] && text[n] != '\n' && letters <= most; n++) {
			letters += ((unsigned char)text[n + 1] & 0xc0) != 0x80;
			good = text[n] == ' ' ? n : good;
		}
		n = letters > most && good ? good : n;
		char *line = xasprintf("%.*s", (int)n, text);
		json_array_append_new(to, figure_text(line));
		free(line);
		text += n;
		text += strspn(text, " \n");
	}
}

json_t *
plot_spec(const struct plotting *p)
{
	char *id = id_of(p->plan), *about = about_of(p);
	const struct figure_options *o = &p->plan->o;
	size_t i;
	double room = p->width - 2 * figure_theme_px("edge"), em = PLOT_LETTER_EM;
	size_t most = (size_t)(room / figure_theme_px("small") / em);
	json_t *note, *view = json_array_get(p->views, 0), *title = json_array();
	json_t *lines = json_array(), *dark = figure_theme_dark();
	if (o->title)
		add_lines(title, o->title, (size_t)(room / figure_theme_px("title") / em));
	if (o->subtitle)
		add_lines(lines, o->subtitle, most);
	json_array_foreach(p->notes, i, note)
		add_lines(lines, json_string_value(note), most);
	const char *head = json_array_size(title) ? "@titled" : json_array_size(lines) ?
	    "@untitled" : NULL;
	json_object_update(dark, p->dark);
	json_t *values = json_pack("{s:o, s:o, s:f, s:s, s:s, s:o}", "title_lines", title, "lines",
	    lines, "figure_width", p->width, "light_ground", figure_theme_colour("ground", false),
	    "light_ink", figure_theme_colour("ink", false), "dark_colours", dark);
	figure_set_text(values, "id", id);
	figure_set_text(values, "name", o->title && *o->title ? o->title : about);
	figure_set_text(values, "about", about);
	/* A view with a title of its own is within the figure's. */
	if (json_array_size(p->views) == 1 && !json_object_get(view, "title"))
		view = json_incref(view);
	else
		view = json_pack("{s:O, s:i}", "concat", p->views, "columns", (int)p->across);
	json_t *parts = json_copy((json_t *)plot_kind_shared());
	json_object_set_new(parts, "head", head ? json_string(head) : NULL);
	json_t *spec = figure_template_fill(figure_theme_part("top"), parts, values);
	json_t *around = figure_template_fill(json_object_get(parts, "spec"), parts, values);
	json_object_update(spec, around);
	json_object_update(spec, view);
	json_decref(view);
	json_decref(around);
	json_decref(parts);
	json_decref(values);
	free(id);
	free(about);
	return spec;
}
