/* plot_kind.h: the kinds of figures: a file of share/figure/kinds each, or a user's own. */
#ifndef PLOT_KIND_H
#define PLOT_KIND_H

#include <jansson.h>
#include <stdbool.h>

/* The kind of this name, or of the file with this path; NULL: there is none.  Dies with ST_INPUT
 * if the file is invalid. */
const json_t *xplot_kind(const char *word);
const json_t *plot_kind_shared(void);	/* parts that all kinds can use */
void plot_kind_list(void);	/* to standard output: names and what they show */

/* Members, also nested: "groups", "order".  The last one may be NULL. */
const char *plot_kind_text(const json_t *kind, const char *part, const char *name);
double plot_kind_number(const json_t *kind, const char *part, const char *name, double otherwise);
bool plot_kind_is(const json_t *kind, const char *part, const char *name);	/* true */
/* Whether a list of words has this one. */
bool plot_kind_has(const json_t *kind, const char *list, const char *word);

#endif
