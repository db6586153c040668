/* plot_kind.h: the kinds of figures: a file of share/figure/kinds each, or a user's own. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* The kind of this name, or of the file with this path, with the defaults of all; NULL: there is
 * none.  Dies with ST_INPUT if the file is invalid. */
const json_t *xplot_kind(const char *word);
const json_t *plot_kind_shared(void);	/* share/figure/templates.json */
void plot_kind_list(void);	/* to standard output: names and what they show */

/* Members, also nested: "groups", "order".  The last one may be NULL. */
const char *plot_kind_text(const json_t *kind, const char *part, const char *name);
double plot_kind_number(const json_t *kind, const char *part, const char *name); /* 0: none */
bool plot_kind_is(const json_t *kind, const char *part, const char *name);	/* true */

json_t *plot_kind_string(const char *);	/* of any bytes; the caller's */
