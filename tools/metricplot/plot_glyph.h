/* plot_glyph.h: characters that this machine's fonts have. */
#ifndef PLOT_GLYPH_H
#define PLOT_GLYPH_H

/* Replaces characters that no font has by U+FFFD; the caller's. */
char *plot_glyph_text(const char *text);

#endif
