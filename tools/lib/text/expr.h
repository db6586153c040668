/* expr.h: arithmetic on named numbers, as a user writes it: + - * / %, ** or ^
 * for powers, parentheses, min() and max().  % has the divisor's sign, as in
 * Python.  A name of other signs than letters, digits and _ stands in quotes.  Parsed
 * once, then evaluated without recursion or allocation. */
#ifndef EXPR_H
#define EXPR_H

#include <stddef.h>

enum { EXPR_MOST_NESTED = 100, EXPR_MOST_STACK = 512 };

struct expr {
	struct expr_op {
		enum { EX_NUMBER, EX_PARAM, EX_ADD, EX_SUB, EX_MUL, EX_DIV, EX_MOD, EX_POW, EX_NEG,
		    EX_MIN, EX_MAX } kind;
		double number;
		size_t param;
		size_t column;	/* of the text, from 1 */
	} *ops;			/* operands before their operator */
	size_t n;
	struct expr_param {
		char *name;
		size_t column;	/* where it stands first */
	} *params;
	size_t n_params;
};
/* NULL, and "column N: reason" in *error, which the caller frees. */
struct expr *expr_parse(const char *text, char **error);
void expr_free(struct expr *);
/* `values` are those of the params, in their order.  NaN, and *why with the
 * column where, if the result is no finite number. */
double expr_value(const struct expr *, const double *values, const char **why, size_t *column);

#endif
