/* plot_draw.h: a figure as a picture, drawn by gnuplot. */
#ifndef PLOT_DRAW_H
#define PLOT_DRAW_H

#include "base/buf.h"
#include "plot_figure.h"

enum picture { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF, PICTURE_HTML };
/* Adds the picture to `to`; dies if gnuplot fails. */
void xplot_draw(struct buf *to, const struct drawing *, enum picture);

#endif
