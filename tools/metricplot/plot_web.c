/* plot_web.c: gnuplot's SVG for web pages: unique ids, a description for those who
 * cannot see it, and a page that shows the values. */
#include "base/buf.h"
#include "base/nbscope.h"
#include "base/embed.h"
#include "json/json_text.h"
#include "plot_figure.h"
#include "plot_web.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const char figure_js[], figure_css[];
EMBED_STATIC(figure_js, "share/figure/figure.js");
EMBED_STATIC(figure_css, "share/figure/figure.css");

enum { LISTED = 500 };

static void
escaped(struct buf *to, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<': buf_addf(to, "&lt;"); break;
		case '>': buf_addf(to, "&gt;"); break;
		case '&': buf_addf(to, "&amp;"); break;
		case '"': buf_addf(to, "&quot;"); break;
		default: buf_add(to, (unsigned char)*text < ' ' ? " " : text, 1);
		}
}

/* gnuplot uses the same ids for shapes and patterns in every picture. */
static void
renamed(struct buf *to, const char *line, size_t n, const char *id)
{
	static const char *const before[] = {"id='gp", "'#gp", "url(#gp"};
	for (size_t i = 0; i < n;) {
		size_t k = 0;
		while (k < COUNT(before) && strncmp(line + i, before[k], strlen(before[k])) != 0)
			k++;
		if (k == COUNT(before)) {
			buf_add(to, line + i++, 1);
			continue;
		}
		buf_add(to, before[k], strlen(before[k]) - 2);
		buf_addf(to, "%s-", id);
		i += strlen(before[k]) - 2;
	}
}

static bool
starts(const char *line, const char *with)
{
	return strncmp(line, with, strlen(with)) == 0;
}

/* Half of the SVG are empty groups. */
static const char *
past_empty_group(const char *line)
{
	const char *end = strchr(line, '\n');
	return starts(line, "<g fill=\"none\"") && end && starts(end + 1, "</g>\n") ? end + 1 + strlen("</g>\n") : NULL;
}

static void
svg_body(struct buf *to, const char *svg, const char *id)
{
	static const char font[] = "font-family=\"DejaVu Sans", bold[] = ":Bold\"";
	bool inside = false, filter = false;
	for (const char *line = svg, *next; line && *line; line = next) {
		const char *end = strchr(line, '\n'), *bare = line + strspn(line, " \t");
		size_t n = end ? (size_t)(end - line) : strlen(line);
		next = end ? end + 1 : NULL;
		if (!inside) {
			/* The first element is the background's rectangle. */
			inside = starts(bare, "<g id=\"gnuplot_canvas\"");
			if (inside)
				buf_addf(to, "<g>\n");
			continue;
		}
		const char *words = memmem(line, n, "<g transform=", strlen("<g transform=")), *past = past_empty_group(line), *family = memmem(line, n, font, sizeof(font) - 1);
		filter |= starts(bare, "<filter");
		if (past) {
			next = past;
		} else if (words && next && starts(next, "\t\t<text></text>\n\t</g>\n")) {
			/* A tick's label, which is drawn as another text. */
			renamed(to, line, (size_t)(words - line), id);
			buf_add(to, "\n", 1);
			next += strlen("\t\t<text></text>\n\t</g>\n");
		} else if (filter) {
			filter = !starts(bare, "</filter>");
		} else if (starts(bare, "<g id=\"")) {
			buf_addf(to, "<g>\n");
		} else if (starts(bare, "<text>")) {
			buf_add(to, line, n + 1);
		} else if (family) {
			/* Verdana has the same widths. */
			buf_add(to, line, (size_t)(family - line));
			const char *rest = family + sizeof(font) - 1;
			bool is_bold = starts(rest, bold);
			buf_addf(to, "font-family=\"DejaVu Sans, Verdana, sans-serif\"%s", is_bold ? " font-weight=\"bold\"" : "");
			rest += is_bold ? sizeof(bold) - 1 : 1;
			buf_add(to, rest, n - (size_t)(rest - line));
			buf_add(to, "\n", 1);
		} else if (n) {
			renamed(to, line, n, id);
			buf_add(to, "\n", 1);
		}
	}
}

static void
svg_head(struct buf *to, const struct drawing *f, bool focusable)
{
	buf_addf(to, "<svg id=\"%s\" xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 %.0f %.0f\" "
	         "width=\"%.0f\" height=\"%.0f\" role=\"img\" aria-labelledby=\"%s-title %s-about\"%s>\n<title id=\"%s-title\">",
	         f->id, f->width, f->height, f->width, f->height, f->id, f->id, focusable ? " tabindex=\"0\"" : "", f->id);
	escaped(to, f->title && *f->title ? f->title : f->about);
	buf_addf(to, "</title>\n<desc id=\"%s-about\">", f->id);
	escaped(to, f->about);
	buf_addf(to, "</desc>\n");
}

void
plot_web_svg(struct buf *to, const struct drawing *f, char *svg)
{
	buf_addf(to, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
	svg_head(to, f, false);
	svg_body(to, svg, f->id);
}

/* The position of each value, in the picture's px; '<' is escaped for the script element. */
static void
put_tips(struct buf *to, const struct drawing *f)
{
	bool first = true;
	buf_addf(to, "[");
	for (size_t i = 0; i < f->n_panes; i++)
		for (size_t k = 0; k < f->panes[i]->n_tips; k++) {
			const struct pane *p = f->panes[i];
			const struct tip *t = &p->tips[k];
			json_t *text = json_string(t->text);
			struct buf quoted = {0};
			json_text_add(&quoted, text);
			buf_addf(to, "%s[%.1f,%.1f,%.1f,%.1f,", first ? "" : ",\n", plot_pane_x(p, t->x0), plot_pane_y(p, t->y0), plot_pane_x(p, t->x1), plot_pane_y(p, t->y1));
			for (const char *c = quoted.p; c && *c; c++)
				if (*c == '<')
					buf_addf(to, "\\u003c");
				else
					buf_add(to, c, 1);
			buf_addf(to, "]");
			buf_free(&quoted);
			json_decref(text);
			first = false;
		}
	buf_addf(to, "]");
}

static void
list_tips(struct buf *to, const struct drawing *f)
{
	size_t n = 0;
	buf_addf(to, "<details><summary>List of values</summary>\n<ul>\n");
	for (size_t i = 0; i < f->n_panes; i++)
		for (size_t k = 0; k < f->panes[i]->n_tips; k++) {
			if (n++ >= LISTED)
				continue;
			buf_addf(to, "<li>");
			escaped(to, f->panes[i]->tips[k].text);
			buf_addf(to, "</li>\n");
		}
	buf_addf(to, "</ul>\n");
	if (n > LISTED)
		buf_addf(to, "<p>The first %d of %zu values.</p>\n", LISTED, n);
	buf_addf(to, "</details>\n");
}

void
plot_web_page(struct buf *to, const struct drawing *f, char *svg)
{
	buf_addf(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
	         "<meta name=\"viewport\" content=\"width=device-width\">\n<link rel=\"icon\" href=\"data:,\">\n<title>");
	const char *title = f->title && *f->title ? f->title : f->about;
	escaped(to, title);
	buf_addf(to, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", figure_css);
	escaped(to, title);
	buf_addf(to, "</h1>\n");
	svg_head(to, f, true);
	svg_body(to, svg, f->id);
	buf_addf(to, "<p id=\"help\" hidden>Show values: pointer or arrow keys. Zoom: wheel, or + and -. Move: drag. Reset: double click or 0.</p>\n"
	         "<div id=\"value\" role=\"status\" aria-live=\"polite\" hidden></div>\n");
	list_tips(to, f);
	buf_addf(to, "</main>\n<script type=\"application/json\" id=\"values\">");
	put_tips(to, f);
	buf_addf(to, "</script>\n<script>\n%s</script>\n</body>\n</html>\n", figure_js);
}
