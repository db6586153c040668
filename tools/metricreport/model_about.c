/* model_about.c: what was measured, where and how, in the model of a report; the calibration,
 * figures, and the index of reports. */
#include "model_about.h"
#include "base/die.h"
#include "base/file.h"
#include "base/nbscope.h"
#include "json/json_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURE_BYTES = 4 << 20, MAX_PX = 100000 };

/* Text of an SVG, in place. */
static void
unescape(char *text)
{
	static const char *const names[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
	char *to = text;
	for (size_t k; *text; *to++ = k < COUNT(names) ? "<>&\"'"[k] : *text++) {
		for (k = 0; k < COUNT(names); k++)
			if (strncmp(text, names[k], strlen(names[k])) == 0)
				break;
		text += k < COUNT(names) ? strlen(names[k]) : 0;
	}
	*to = '\0';
}

/* What the page says of a figure before it is loaded: its title, and the size that it takes, so
 * that links into the page lead there. */
static json_t *
figure(const char *path)
{
	size_t n;
	char *svg = file_read(path, FIGURE_BYTES, &n), *from = svg ? strstr(svg, "<title>") : NULL,
	    *to = from ? strstr(from, "</title>") : NULL, *end = svg ? strchr(svg, '>') : NULL,
	    *box = end ? strstr(svg, " viewBox=\"0 0 ") : NULL;
	const char *slash = strrchr(path, '/');
	double width = 0, height = 0;
	if (!svg) {
		warn("cannot read '%s':", path);
		return NULL;
	}
	bool sized = box && box < end && sscanf(box, " viewBox=\"0 0 %lf %lf", &width, &height) == 2
	    && width > 0 && height > 0 && height < MAX_PX;
	char *title = to ? xasprintf("%.*s", (int)(to - from) - 7, from + 7)
	    : xstrdup(slash ? slash + 1 : path);
	if (to)
		unescape(title);
	json_t *o = json_pack("{s:s, s:s, s:o, s:o}", "file", path, "title", title,
	    "width", sized ? json_real(width) : json_null(),
	    "height", sized ? json_real(height) : json_null());
	free(title);
	free(svg);
	return o;
}

void
model_about(json_t *model, const struct report *r)
{
	json_t *figures = json_array(), *v;
	size_t i;
	json_array_foreach(r->figures, i, v)
		json_array_append_new(figures, figure(json_string_value(v)));
	json_object_set_new(model, "method", json_pack("{s:o, s:o, s:O, s:I}",
	    "clock_bound_ms", json_value_real(1e3 * r->clock_bound_s),
	    "script_ms", json_value_real(1e3 * r->script_s), "marks", r->sum.marks,
	    "n_runs", (json_int_t)r->sum.n));
	json_object_set_new(model, "figures", figures);
	json_object_set(model, "links", r->links);
	json_object_set(model, "notes", r->notes);
}
