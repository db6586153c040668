/* plot_kind.h: the kinds of figures: a file of share/figure/kinds each, or a user's own, and how
 * their templates are filled. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* The kind of this name, or of the file with this path, with the defaults of all; NULL: there is
 * none.  Dies with ST_INPUT if the file is invalid. */
const json_t *xplot_kind(const char *word);
const json_t *plot_kind_shared(const char *name);	/* of share/figure/templates.json */
void plot_kind_list(void);	/* to standard output: names and what they show */

/* Members, also nested: "groups", "order".  The last one may be NULL. */
const char *plot_kind_text(const json_t *kind, const char *part, const char *name);
double plot_kind_number(const json_t *kind, const char *part, const char *name); /* 0: none */
bool plot_kind_is(const json_t *kind, const char *part, const char *name);	/* true */

/* Whether a condition holds: {"groups": 9}: at most, {"groups": [1, 9]}: from 1 to 9, or true. */
bool plot_kind_holds(const json_t *condition, const json_t *facts);
/* What a kind's templates refer to: the shared ones, its own, and those of the conditions that
 * hold.  The caller's. */
json_t *plot_kind_parts(const json_t *kind, const json_t *facts);
/* The template with each string "@NAME" replaced: by the member NAME of `values`, else by the
 * template NAME of `parts`, else by the theme's colour or size NAME.  A member without any, or
 * whose value is null, is left out.  The caller's. */
json_t *plot_kind_fill(const json_t *, const json_t *parts, const json_t *values);

json_t *plot_kind_string(const char *);	/* of any bytes; the caller's */
/* Gives an object a number of at most 12 digits; null if it is not finite. */
void plot_kind_set_number(json_t *object, const char *key, double);
