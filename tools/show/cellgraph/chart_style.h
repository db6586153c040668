/* chart_style.h: the style sheet of a graph's SVG, in the theme's colours. */
#ifndef CHART_STYLE_H
#define CHART_STYLE_H

#include "base/buf.h"

/* em, title_em: sizes of text in px. */
void chart_style_put(struct buf *, int em, int title_em);

#endif
