/* chart_style.c: the style sheet of a graph's SVG, in the theme's colours. */
#include "chart_style.h"
#include "base/nbscope.h"
#include "chart.h"
#include "figure/figure_theme.h"

/* Colours that colour-blind people can distinguish; in black and white the dashes do. */
static const struct {
	const char *colour;	/* a name of share/figure/theme.json */
	double dash[4];	/* px; ends with 0 */
} looks[LOOKS] = {
	{"blue", {0}}, {"vermilion", {5, 2}}, {"green", {2, 2}}, {"blue", {0}}, {"soft", {8, 3}},
	{"brown", {11, 2}}, {"pink", {7, 2, 2, 2}}, {"black", {1, 2}},
};

/* Colours of the theme, each with what it is for. */
static const struct {
	const char *selector, *property, *colour;
} inks[] = {
	{"text", "fill", "ink"}, {".tick,.note,.sub", "fill", "soft"}, {"path", "stroke", "soft"},
	{".grid", "stroke", "grid"}, {".base", "stroke", "axis"}, {".at,.within", "stroke", "ink"},
	{".outside,.odd", "fill", "shade"}, {".even,.cell,.ground", "fill", "ground"},
	{".cell", "stroke", "rest"}, {".mark", "stroke", "ground"},
};

static void
put_colours(struct buf *b, bool dark)
{
	for (size_t i = 0; i < COUNT(inks); i++)
		buf_addf(b, "%s{%s:%s}", inks[i].selector, inks[i].property,
		    figure_theme_colour(inks[i].colour, dark));
	for (size_t i = 0; i < LOOKS; i++) {
		const char *colour = figure_theme_colour(looks[i].colour, dark);
		buf_addf(b, ".c%zu{stroke:%s}.s%zu{fill:%s}", i, colour, i, colour);
	}
}

void
chart_style_put(struct buf *b, int em, int title_em)
{
	const char *font = json_string_value(json_object_get(json_object_get(
	    figure_theme_part("top"), "config"), "font"));
	buf_addf(b, "<style>\n"
	    "text{font:%dpx %s;white-space:pre}.title{font-size:%dpx;font-weight:bold}"
	    ".name{font-weight:bold}.mark{paint-order:stroke;stroke-width:3px}\n"
	    "path{fill:none}.at{stroke-dasharray:4 3}.within{stroke-width:.7;stroke-dasharray:2 3}"
	    ".cell{stroke-width:.6}.curve{stroke-width:1.6}\n"
	    ".between{stroke:none;fill-opacity:.25}", em, font, title_em);
	for (size_t i = 0; i < LOOKS; i++) {
		const double *dash = looks[i].dash;
		for (size_t k = 0; k < COUNT(looks[i].dash) && dash[k] > 0; k++) {
			if (!k)
				buf_addf(b, ".c%zu{stroke-dasharray:", i);
			buf_addf(b, "%s%g", k ? " " : "", dash[k]);
		}
		buf_addf(b, "%s", dash[0] > 0 ? "}" : "");
	}
	buf_addf(b, "path.level{stroke-width:2.4;stroke-dasharray:1.5 2.5}\n");
	put_colours(b, false);
	buf_addf(b, "\n@media screen and (prefers-color-scheme:dark){");
	put_colours(b, true);
	buf_addf(b, "}\n</style>\n");
}
