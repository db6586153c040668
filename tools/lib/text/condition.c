/* condition.c: conditions on parameters, as in 'n_images=1,3 image_pixel_side<=1000'. */
#include "text/condition.h"
#include "base/str.h"
#include "base/die.h"
#include "json/json_text.h"

#include <errno.h>

static const char blanks[] = " \t\n";
static const struct {
	const char *text;
	enum condition_op op;
} operators[] = {	/* the longer ones first */
	{"!=", OP_NE}, {"<=", OP_LE}, {">=", OP_GE}, {"==", OP_EQ},
	{"=", OP_EQ}, {"<", OP_LT}, {">", OP_GT},
};

/* ---- parsing: each function returns the text after what it has read ---- */

static const char *
read_operand(struct condition *c, const char *p)
{
	struct condition_operand o = {.quoted = *p == '"' || *p == '\''};
	size_t n = strcspn(p, ", \t\n");
	if (o.quoted) {
		const char *end = strchr(p + 1, *p);
		if (!end)
			die(ST_USAGE, "--where: no closing quote after '%s'", c->name);
		n = (size_t)(end - ++p);
	} else if (n == 0) {
		die(ST_USAGE, "--where: no value after '%s' (write \"\" for none)", c->name);
	} else if (strchr("!<>=", *p)) {
		die(ST_USAGE, "--where: unexpected '%c' after '%s': the operators are = != < <= "
		    "> >= (quote a value that starts with one)", *p, c->name);
	}
	o.text = xasprintf("%.*s", (int)n, p);
	*XAPPEND(c->operands, c->n_operands) = o;
	return p + n + o.quoted;
}

/* A name that is no identifier, as a table's column may have, must be quoted; not that of a
 * COLUMN:STATISTIC. */
static const char *
read_name(struct condition *c, const char *p)
{
	bool quoted = *p == '"' || *p == '\'';
	const char *end = quoted ? strchr(p + 1, *p) : p + strcspn(p, "!<>= \t\n");
	if (!end)
		die(ST_USAGE, "--where: no closing quote in '%s'", p);
	p += quoted;
	int n = (int)(end - p);
	if (n == 0 || (!quoted && str_identifier(p) < (size_t)n && !memchr(p, ':', (size_t)n)))
		die(ST_USAGE, "--where: '%.*s' is not a parameter name%s", n, p,
		    n ? "; quote the name of a column" : "");
	c->name = xasprintf("%.*s", n, p);
	return end + quoted;
}

static const char *
read_condition(struct condition *c, const char *p)
{
	size_t i = 0;
	p = read_name(c, p);
	while (i < COUNT(operators) &&
	    strncmp(p, operators[i].text, strlen(operators[i].text)) != 0)
		i++;
	if (i == COUNT(operators))
		die(ST_USAGE, "--where: one of = != < <= > >= must follow '%s'", c->name);
	c->op = operators[i].op;
	p += strlen(operators[i].text) - 1;
	do
		p = read_operand(c, p + 1);
	while (*p == ',');
	if (*p && !strchr(blanks, *p))
		die(ST_USAGE, "--where: a value of '%s' is not followed by ' ' or ','", c->name);
	if (c->n_operands > 1 && c->op != OP_EQ && c->op != OP_NE)
		die(ST_USAGE, "--where: '%s' can be compared with one value only", c->name);
	return p;
}

void
xconditions_add(struct conditions *c, const char *text)
{
	for (const char *p = text + strspn(text, blanks); *p; p += strspn(p, blanks)) {
		struct condition *one = XAPPEND(c->list, c->n);
		*one = (struct condition){0};
		p = read_condition(one, p);
	}
}

/* ---- comparing: -1, 0, 1 for less, equal, greater; 2 if the two cannot be compared ---- */

static int
compare_number(const json_t *v, const char *text)
{
	char *end;
	errno = 0;
	long long whole = strtoll(text, &end, 10);
	if (!errno && end != text && !*end && json_is_integer(v)) {
		json_int_t x = json_integer_value(v);
		return (x > whole) - (x < whole);
	}
	/* The long double of x86 holds every 64-bit integer, so 2^63 differs from 2^63-1. */
	long double y = strtold(text, &end), x = (long double)json_integer_value(v);
	if (end == text || *end || isnan(y))
		return 2;
	if (json_is_real(v)) {
		x = (long double)json_real_value(v);
		y = (long double)(double)y;
	}
	return (x > y) - (x < y);
}

static int
compare_value(const json_t *v, const struct condition_operand *o)
{
	if (json_is_string(v)) {
		int order = strcmp(json_string_value(v), o->text);
		return (order > 0) - (order < 0);
	}
	if (json_is_array(v) || json_is_object(v)) {
		char *text = json_text_of(v);
		bool equal = strcmp(text, o->text) == 0;
		free(text);
		return equal ? 0 : 2;
	}
	if (o->quoted)
		return 2;
	if (json_is_number(v))
		return compare_number(v, o->text);
	const char *word = json_is_true(v) ? "true" : json_is_false(v) ? "false" : "null";
	const char *name = json_is_true(v) ? "True" : json_is_false(v) ? "False" : "None";
	return strcmp(o->text, word) == 0 || strcmp(o->text, name) == 0 ? 0 : 2;
}

bool
condition_holds(const struct condition *c, const json_t *v)
{
	int order = 2;
	for (size_t i = 0; i < c->n_operands && order != 0; i++)
		order = compare_value(v, &c->operands[i]);
	switch (c->op) {
	case OP_EQ: return order == 0;
	case OP_NE: return order != 0;
	case OP_LT: return order == -1;
	case OP_LE: return order == -1 || order == 0;
	case OP_GT: return order == 1;
	default: return order == 1 || order == 0;
	}
}
