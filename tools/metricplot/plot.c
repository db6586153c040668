/* plot.c: a figure that is being made: what is said of it. */
#include "plot.h"
#include "base/die.h"
#include "figure_template.h"
#include "plot_kind.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

char *
plot_id(const struct figure_plan *f)
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

_Noreturn void
plot_empty(struct plotting *p, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = xvasprintf(fmt, ap);
	va_end(ap);
	if (!p->plan->is_one_of_several)
		die(ST_UNKNOWN, "%s", text);
	char *id = plot_id(p->plan);
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
