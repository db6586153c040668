/* figure_theme.h: the colours and sizes of all pictures, from share/figure/theme.json. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

const json_t *figure_theme(void);
/* A member of the theme; dies if it has none of this name. */
const json_t *figure_theme_part(const char *name);
/* The colour of a name, as in CSS; dies if there is none. */
const char *figure_theme_colour(const char *name, bool dark);
