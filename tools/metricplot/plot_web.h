/* plot_web.h: SVG and HTML for web pages. */
#ifndef PLOT_WEB_H
#define PLOT_WEB_H

#include "base/buf.h"
#include "plot_figure.h"

/* gnuplot's SVG, changed so that several can be part of one page. */
void plot_web_svg(struct buf *to, const struct drawing *, char *svg);
void plot_web_page(struct buf *to, const struct drawing *, char *svg);

#endif
