/* expr.h: arithmetic expressions: + - * / %, ** or ^ for powers, parentheses, min() and
 * max().  % has the sign of the divisor, as in Python.  A name with other characters than
 * letters, digits and _ is quoted.  Parsed once, then evaluated without recursion or
 * allocation. */
#pragma once

#include <stddef.h>

enum { EXPR_MOST_NESTED = 100, EXPR_MOST_STACK = 512 };

struct expr {
	struct expr_op {
		enum { EX_NUMBER, EX_PARAM, EX_ADD, EX_SUB, EX_MUL, EX_DIV, EX_MOD, EX_POW, EX_NEG,
		    EX_MIN, EX_MAX } kind;
		double number;
		size_t param;
		size_t column;	/* of the text, from 1 */
	} *ops;			/* in reverse Polish notation */
	size_t n;
	struct expr_param {
		char *name;
		size_t column;	/* of its first use */
	} *params;
	size_t n_params;
};
/* NULL, and "column N: reason" in *error, which the caller frees. */
struct expr *expr_parse(const char *text, char **error);
/* `values` are those of the params.  NaN, and the reason and its column in *why and
 * *column, if the result is not a finite number. */
double expr_value(const struct expr *, const double *values, const char **why, size_t *column);
