/* span.h: values of a record as they are in its line. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct span {
	const char *p;	/* NULL: missing; not NUL-terminated */
	size_t n;
};
bool span_is(struct span, const char *json_text_of);
bool span_is_word(struct span, const char *word);	/* a string that needs no escapes */
bool span_null(struct span);	/* null or missing */
double span_number(struct span);	/* NaN if it is not a number */
/* Its characters, which the caller frees; NULL if it is not a string. */
char *span_string(struct span);
json_t *span_json(struct span);	/* NULL if it is missing */
bool span_lists(struct span, const char *word);	/* whether the word is in the list */
