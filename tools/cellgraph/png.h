/* png.h: an SVG picture as PNG, if the program was built with librsvg. */
#ifndef PNG_H
#define PNG_H

#include "base/buf.h"

/* Adds the PNG to `to`; otherwise false, and a line in error[256]. */
bool png_of_svg(struct buf *to, const struct buf *svg, char error[256]);

#endif
