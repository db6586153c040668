/* figure_theme.h: the colours and sizes of all pictures, from share/figure/theme.json. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* A member of the theme; dies if it has none of this name. */
const json_t *figure_theme_part(const char *name);
/* The colour of a name, as in CSS; dies if there is none. */
const char *figure_theme_colour(const char *name, bool dark);
double figure_theme_px(const char *size);	/* of "text", "small", "title", "edge" */
/* A colour that is another on a dark ground, as a value in a specification.  The caller's. */
json_t *figure_theme_two_colours(const char *light, const char *dark);
/* The value of a colour or a size of this name in a specification; NULL: there is none. */
json_t *figure_theme_value(const char *name);
/* Each colour on a light ground with that on a dark one.  The caller's. */
json_t *figure_theme_dark(void);
