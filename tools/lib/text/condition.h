/* condition.h: conditions on parameters or columns: 'n_images=1,3 image_pixel_side<=1000'. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

enum condition_op { OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE };
struct condition {
	char *name;
	enum condition_op op;
	struct condition_operand {
		char *text;
		bool quoted;	/* a string, even if it looks like a number */
	} *operands;
	size_t n_operands;
};
struct conditions {
	struct condition *list;
	size_t n;
};
/* Adds the conditions of one text; dies with ST_USAGE if they cannot be parsed. */
void xconditions_add(struct conditions *, const char *text);
bool condition_holds(const struct condition *, const json_t *value);
