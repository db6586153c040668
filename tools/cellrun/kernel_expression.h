/* kernel_expression.h: what the kernel answers to an expression, in a silent request, which leaves
 * nothing in the notebook or its history. */
#ifndef KERNEL_EXPRESSION_H
#define KERNEL_EXPRESSION_H

#include <jansson.h>

struct wd;

#define KERNEL_EXPRESSION_MIME "application/vnd.nbscope.profile+jsonl"

/* The data of our MIME type that the value of a Python expression shows.  NULL and the reason in
 * *why, both the caller's. */
json_t *kernel_expression(struct wd *, const char *expression, long limit_ms, char **why);
/* A Python literal of a text, or of a value's JSON text; the caller's. */
char *kernel_expression_text(const char *);
char *kernel_expression_value(const json_t *);

#endif
