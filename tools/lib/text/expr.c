/* expr.c: arithmetic expressions. */
#include "text/expr.h"
#include "base/die.h"

#include <ctype.h>
#include <stdio.h>

struct parser {
	const char *text, *p;
	struct expr *e;
	size_t nested, stack;	/* parentheses and signs open; values waiting */
	char *error;
};

static bool read_sum(struct parser *);
static bool read_signed(struct parser *);

static bool PRINTF(3, 4)
    fault(struct parser *r, const char *at, const char *fmt, ...)
{
	va_list ap;
	char text[200];
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (!r->error)
		r->error = xasprintf("column %zu: %s", (size_t)(at - r->text) + 1, text);
	return false;
}

static bool
emit_op(struct parser *r, struct expr_op op, const char *at)
{
	struct expr *e = r->e;
	op.column = (size_t)(at - r->text) + 1;
	*XAPPEND(e->ops, e->n) = op;
	if (op.kind == EX_NUMBER || op.kind == EX_PARAM)
		r->stack++;
	else if (op.kind != EX_NEG)
		r->stack--;
	return r->stack <= EXPR_MOST_STACK || fault(r, at, "too deep");
}

static void
skip_space(struct parser *r)
{
	r->p += strspn(r->p, " \t\r\n");
}

/* The word or the character at p, for messages. */
static int
word_length(const char *p)
{
	int n = 0;
	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	if (n == 0 && *p)
		for (n = 1; (p[n] & 0xc0) == 0x80; n++)
			continue;
	return n < 40 ? n : 40;
}

static bool
enter_level(struct parser *r, const char *at)
{
	return ++r->nested <= EXPR_MOST_NESTED || fault(r, at, "nested more than %d deep",
	    EXPR_MOST_NESTED);
}

/* ---- the grammar, from the innermost out ---- */

/* Digits, a point and an exponent; strtod alone would take "inf" and "0x1p3". */
static bool
read_number(struct parser *r)
{
	const char *start = r->p, *p = start;
	p += strspn(p, "0123456789");
	if (*p == '.')
		p += 1 + strspn(p + 1, "0123456789");
	if (*p == 'e' || *p == 'E') {
		const char *digits = p + 1 + (p[1] == '+' || p[1] == '-');
		if (isdigit((unsigned char)*digits))
			p = digits + strspn(digits, "0123456789");
	}
	char *text = xasprintf("%.*s", (int)(p - start), start);
	double x = strtod(text, NULL);
	free(text);
	r->p = p;
	if (!isfinite(x))
		return fault(r, start, "the number is too large");
	return emit_op(r, (struct expr_op){.kind = EX_NUMBER, .number = x}, start);
}

static bool
read_call(struct parser *r, const char *name, size_t n)
{
	bool is_min = n == 3 && strncmp(name, "min", 3) == 0;
	bool is_max = n == 3 && strncmp(name, "max", 3) == 0;
	const char *open = r->p++;
	if (!is_min && !is_max)
		return fault(r, name, "unknown function '%.*s': expected min or max",
		    word_length(name), name);
	if (!enter_level(r, open) || !read_sum(r))
		return false;
	for (skip_space(r); *r->p == ','; skip_space(r)) {
		const char *comma = r->p++;
		if (!read_sum(r) || !emit_op(r, (struct expr_op){.kind = is_min ? EX_MIN : EX_MAX},
		    comma))
			return false;
	}
	if (*r->p != ')')
		return fault(r, r->p, "a ',' or the ')' of %.*s is missing", (int)n, name);
	r->p++;
	r->nested--;
	return true;
}

static bool
emit_param(struct parser *r, const char *name, size_t n)
{
	struct expr *e = r->e;
	size_t i = 0;
	while (i < e->n_params && !(strlen(e->params[i].name) == n &&
	    strncmp(e->params[i].name, name, n) == 0))
		i++;
	if (i == e->n_params)
		*XAPPEND(e->params, e->n_params) = (struct expr_param){
			xasprintf("%.*s", (int)n, name), (size_t)(name - r->text) + 1};
	return emit_op(r, (struct expr_op){.kind = EX_PARAM, .param = i}, name);
}

static bool
read_name(struct parser *r)
{
	const char *name = r->p;
	size_t n = 0;
	while (isalnum((unsigned char)name[n]) || name[n] == '_')
		n++;
	r->p += n;
	skip_space(r);
	return *r->p == '(' ? read_call(r, name, n) : emit_param(r, name, n);
}

/* Tables have columns such as "%cpu" and "Run time (s)". */
static bool
read_quoted(struct parser *r)
{
	const char *name = r->p + 1, *end = strchr(name, *r->p);
	if (!end || end == name)
		return fault(r, r->p, end ? "empty name" : "unclosed quote");
	r->p = end + 1;
	return emit_param(r, name, (size_t)(end - name));
}

static bool
read_operand(struct parser *r)
{
	skip_space(r);
	const char *at = r->p;
	if (*at == '(') {
		r->p++;
		if (!enter_level(r, at) || !read_sum(r))
			return false;
		if (*r->p != ')')
			return fault(r, r->p, "unclosed '(' at column %zu",
			    (size_t)(at - r->text) + 1);
		r->p++;
		r->nested--;
		return true;
	}
	if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1])))
		return read_number(r);
	if (isalpha((unsigned char)*at) || *at == '_')
		return read_name(r);
	if (*at == '"' || *at == '\'')
		return read_quoted(r);
	if (!*at)
		return fault(r, at, "a number or a parameter is missing");
	return fault(r, at, "expected a number or a parameter, not '%.*s'", word_length(at), at);
}

/* Powers bind tighter than a sign before them and group from the right. */
static bool
read_power(struct parser *r)
{
	if (!read_operand(r))
		return false;
	skip_space(r);
	const char *at = r->p;
	if (*at != '^' && !(at[0] == '*' && at[1] == '*'))
		return true;
	r->p += *at == '^' ? 1 : 2;
	if (!enter_level(r, at) || !read_signed(r))
		return false;
	r->nested--;
	return emit_op(r, (struct expr_op){.kind = EX_POW}, at);
}

static bool
read_signed(struct parser *r)
{
	skip_space(r);
	const char *at = r->p;
	if (*at != '-' && *at != '+')
		return read_power(r);
	r->p++;
	if (!enter_level(r, at) || !read_signed(r))
		return false;
	r->nested--;
	return *at == '+' || emit_op(r, (struct expr_op){.kind = EX_NEG}, at);
}

/* Operands with operators between that bind equally and group from the left. */
static bool
read_operators(struct parser *r, bool (*operand)(struct parser *), const char *operators)
{
	if (!operand(r))
		return false;
	for (skip_space(r); *r->p && strchr(operators, *r->p); skip_space(r)) {
		const char *at = r->p++;
		int kind = *at == '+' ? EX_ADD : *at == '-' ? EX_SUB : *at == '*' ? EX_MUL :
		    *at == '/' ? EX_DIV : EX_MOD;
		if (!operand(r) || !emit_op(r, (struct expr_op){.kind = kind}, at))
			return false;
	}
	return true;
}

static bool
read_product(struct parser *r)
{
	return read_operators(r, read_signed, "*/%");
}

static bool
read_sum(struct parser *r)
{
	return read_operators(r, read_product, "+-");
}

/* ---- interface ---- */

static void
expr_free(struct expr *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->n_params; i++)
		free(e->params[i].name);
	free(e->params);
	free(e->ops);
	free(e);
}

struct expr *
expr_parse(const char *text, char **error)
{
	struct parser r = {.text = text, .p = text, .e = xmalloc(sizeof *r.e)};
	*r.e = (struct expr){0};
	bool read = read_sum(&r);
	if (read && *r.p == ')')
		fault(&r, r.p, "this ')' has no '('");
	else if (read && *r.p)
		fault(&r, r.p, "an operator is missing before '%.*s'", word_length(r.p), r.p);
	if (!r.error)
		return r.e;
	*error = r.error;
	expr_free(r.e);
	return NULL;
}

static double
apply_operation(const struct expr_op *op, double a, double b)
{
	switch (op->kind) {
	case EX_ADD: return a + b;
	case EX_SUB: return a - b;
	case EX_MUL: return a * b;
	case EX_DIV: return a / b;
	case EX_MOD: {
		double rest = fmod(a, b);
		return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
	}
	case EX_POW: return pow(a, b);
	case EX_MIN: return b < a ? b : a;
	default: return b > a ? b : a;	/* EX_MAX */
	}
}

double
expr_value(const struct expr *e, const double *values, const char **why, size_t *column)
{
	double stack[EXPR_MOST_STACK + 1];
	size_t n = 0;
	for (const struct expr_op *op = e->ops; op < e->ops + e->n; op++) {
		if (op->kind == EX_NUMBER) {
			stack[n++] = op->number;
		} else if (op->kind == EX_PARAM) {
			stack[n++] = values[op->param];
		} else if (op->kind == EX_NEG) {
			stack[n - 1] = -stack[n - 1];
		} else {
			double b = stack[--n], x = apply_operation(op, stack[n - 1], b);
			stack[n - 1] = x;
			if (isfinite(x))
				continue;
			bool divides = op->kind == EX_DIV || op->kind == EX_MOD;
			*why = divides && b == 0 ? "division by zero" :
			    isnan(x) ? "the result is not a number" : "the result is too large";
			*column = op->column;
			return (double)NAN;
		}
	}
	return stack[0];
}
