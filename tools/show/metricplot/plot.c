/* plot.c: a figure that is being made: what is said of it, and its specification. */
#include "plot.h"
#include "base/die.h"
#include "figure/figure_theme.h"
#include "metric/metric_column.h"
#include "plot_kind.h"
#include "text/text.h"

#include <stdarg.h>

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
plot_note(struct plotting *p, const char *text)
{
	json_array_append_new(p->notes, plot_kind_string(text));
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

char *
plot_titles(const struct list *columns, const char *between)
{
	struct buf b = {0};
	buf_add(&b, "", 0);
	for (size_t i = 0; i < columns->n; i++) {
		char *title = metric_column_title(columns->v[i]);
		buf_addf(&b, "%s%s", i ? between : "", title);
		free(title);
	}
	return b.p;
}

/* A description for screen readers. */
static char *
about_of(const struct plotting *p)
{
	const struct figure_plan *f = p->plan;
	char *by = plot_titles(&f->by, " / "), *against = plot_titles(&f->against, ", ");
	struct buf b = {0};
	buf_addf(&b, "%s", plot_kind_text(p->kind, "kind", NULL));
	for (size_t i = f->n_fixed; i < p->n_of - f->n_params; i++) {
		char *what = plot_measure_shown(&p->of[i], p->kind);
		buf_addf(&b, "%s %s", i > f->n_fixed ? "," : " of", what);
		free(what);
	}
	buf_addf(&b, "%s%s%s%s: %zu group%s, %zu rows", *by ? " by " : "", by, *against ?
	    " against " : "", against, p->s.g.n, text_plural(p->s.g.n),
	    (size_t)p->s.g.first[p->s.g.n]);
	free(by);
	free(against);
	return b.p;
}

/* Lines of at most this many letters, broken at blanks where there are some. */
static void
add_lines(json_t *to, const char *text, size_t most)
{
	while (text && *text) {
		size_t n = 0, letters = 0, good = 0;
		for (; text[n] && text[n] != '\n' && letters <= most; n++) {
			letters += ((unsigned char)text[n + 1] & 0xc0) != 0x80;
			good = text[n] == ' ' ? n : good;
		}
		n = letters > most && good ? good : n;
		char *line = xasprintf("%.*s", (int)n, text);
		json_array_append_new(to, plot_kind_string(line));
		free(line);
		text += n;
		text += strspn(text, " \n");
	}
}

json_t *
plot_spec(const struct plotting *p)
{
	const struct figure_options *o = &p->plan->o;
	char *id = id_of(p->plan), *about = about_of(p);
	double room = (p->width - 2 * figure_theme_px("edge")) / PLOT_LETTER_EM;
	size_t most = (size_t)(room / figure_theme_px("small")), i;
	json_t *note, *view = json_array_get(p->views, 0), *title = json_array();
	json_t *lines = json_array(), *dark = figure_theme_dark();
	add_lines(title, o->title, (size_t)(room / figure_theme_px("title")));
	add_lines(lines, o->subtitle, most);
	json_array_foreach(p->notes, i, note)
		add_lines(lines, json_string_value(note), most);
	json_object_update(dark, p->dark);
	const char *head = json_array_size(title) ? "@titled" : json_array_size(lines) ?
	    "@untitled" : NULL;
	json_t *values = json_pack("{s:o, s:o, s:f, s:s, s:s, s:o, s:s, s:o, s:o}", "title_lines",
	    title, "lines", lines, "figure_width", p->width, "light_ground",
	    figure_theme_colour("ground", false), "light_ink", figure_theme_colour("ink", false),
	    "dark_colours", dark, "id", id, "name", plot_kind_string(o->title && *o->title ?
	    o->title : about), "about", plot_kind_string(about));
	json_object_update(values, p->long_names);
	/* A view with a title of its own is within the figure's. */
	if (json_array_size(p->views) == 1 && !json_object_get(view, "title"))
		view = json_incref(view);
	else
		view = json_pack("{s:O, s:i}", "concat", p->views, "columns", (int)p->across);
	json_t *parts = plot_kind_parts(NULL, NULL);
	json_object_set_new(parts, "head", head ? json_string(head) : NULL);
	json_t *spec = plot_kind_fill(figure_theme_part("top"), parts, values);
	json_t *around = plot_kind_fill(plot_kind_shared("spec"), parts, values);
	json_object_update_new(spec, around);
	json_object_update_new(spec, view);
	json_decref(parts);
	json_decref(values);
	free(id);
	free(about);
	return spec;
}
