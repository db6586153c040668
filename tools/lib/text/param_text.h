/* param_text.h: how a combination of parameters is called: "n_images=3 side=500". */
#pragma once

#include <jansson.h>
#include <stddef.h>

/* The text of `params` for the keys of the object `keys` (NULL: all of its own), with at most
 * key_bytes of each; the caller's.  NULL: there are no keys, or no params. */
char *param_text(json_t *params, json_t *keys, size_t key_bytes);
/* Adds to the object `keys` the parameters whose values differ between the two combinations, or
 * that one of them lacks; either may be NULL. */
void param_text_add_differing(json_t *keys, json_t *params, json_t *other);
/* The keys in the order of `params`, then the others; the caller's. */
json_t *param_text_ordered(json_t *keys, json_t *params);
