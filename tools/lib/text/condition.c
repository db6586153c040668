/* where.c: conditions on parameters, as in 'n_images=1,3 image_pixel_side<=1000'. */
#include "generate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *text;
	enum where_op op;
} operators[] = {	/* the longer ones first */
	{"!=", WHERE_NE}, {"<=", WHERE_LE}, {">=", WHERE_GE}, {"==", WHERE_EQ},
	{"=", WHERE_EQ}, {"<", WHERE_LT}, {">", WHERE_GT},
};

/* One value, quoted or not; returns what follows it. */
static const char *
operand(struct condition *c, const char *p, const char *name)
{
	struct operand o = {0};
	size_t n;
	if (*p == '"' || *p == '\'') {
		const char *end = strchr(p + 1, *p);
		if (!end)
			die(ST_USAGE, "--where: no closing quote after '%s'", name);
		n = (size_t)(end - p) - 1;
		o.quoted = true;
		p++;
	} else {
		n = strcspn(p, ", \t\n");
		if (n == 0)
			die(ST_USAGE, "--where: no value after '%s' (an empty string is \"\")", name);
		if (strchr("!<>=", *p))
			die(ST_USAGE, "--where: '%c' does not belong there after '%s': it is one of = != < <= > >= (a value that begins so stands in quotes)", *p, name);
	}
	o.text = xasprintf("%.*s", (int)n, p);
	c->operands = xrealloc(c->operands, (c->n_operands + 1) * sizeof *c->operands);
	c->operands[c->n_operands++] = o;
	return p + n + o.quoted;
}

/* The name, in quotes where a table's column has other signs; returns what follows it. */
static const char *
condition_name(struct condition *c, const char *p)
{
	bool quoted = *p == '"' || *p == '\'';
	const char *end = quoted ? strchr(p + 1, *p) : p + strcspn(p, "!<>= \t\n");
	if (!end)
		die(ST_USAGE, "--where: no closing quote in '%s'", p);
	p += quoted;
	size_t n = (size_t)(end - p);
	if (n == 0 || (!quoted && !is_identifier(p, n)))
		die(ST_USAGE, "--where: '%.*s' is not a parameter's name%s", (int)n, p, n ? "; a column's may stand in quotes" : "");
	c->name = xasprintf("%.*s", (int)n, p);
	return end + quoted;
}

static const char *
condition(struct condition *c, const char *p)
{
	size_t i = 0;
	p = condition_name(c, p);
	while (i < COUNT(operators) && strncmp(p, operators[i].text, strlen(operators[i].text)) != 0)
		i++;
	if (i == COUNT(operators))
		die(ST_USAGE, "--where: one of = != < <= > >= must follow '%s' at once", c->name);
	c->op = operators[i].op;
	p += strlen(operators[i].text);
	for (;;) {
		p = operand(c, p, c->name);
		if (*p != ',')
			break;
		p++;
	}
	if (*p && !strchr(" \t\n", *p))
		die(ST_USAGE, "--where: a space or a comma must follow a value of '%s'", c->name);
	if (c->n_operands > 1 && c->op != WHERE_EQ && c->op != WHERE_NE)
		die(ST_USAGE, "--where: '%s' is compared with one value", c->name);
	return p;
}

void
xadd_where(struct where *w, const char *text)
{
	for (const char *p = text + strspn(text, " \t\n"); *p; p += strspn(p, " \t\n")) {
		struct condition c = {0};
		p = condition(&c, p);
		w->conditions = xrealloc(w->conditions, (w->n + 1) * sizeof *w->conditions);
		w->conditions[w->n++] = c;
	}
}

/* -1, 0, 1 as v is less than, equal to or greater than text; 2 where the two
 * cannot be compared. */
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
	/* x86's long double holds every 64-bit integer, so 2^63 is not 2^63-1. */
	long double y = strtold(text, &end);
	if (end == text || *end || isnan(y))
		return 2;
	long double x = json_is_integer(v) ? (long double)json_integer_value(v) : (long double)json_real_value(v);
	if (json_is_real(v))
		y = (long double)(double)y;
	return (x > y) - (x < y);
}

static int
compare(const json_t *v, const struct operand *o)
{
	if (json_is_string(v)) {
		int order = strcmp(json_string_value(v), o->text);
		return (order > 0) - (order < 0);
	}
	if (json_is_array(v) || json_is_object(v)) {
		char *text = json_text(v);
		int differ = strcmp(text, o->text) == 0 ? 0 : 2;
		free(text);
		return differ;
	}
	if (o->quoted)
		return 2;
	if (json_is_number(v))
		return compare_number(v, o->text);
	static const char *const words[][2] = {{"true", "True"}, {"false", "False"}, {"null", "None"}};
	size_t i = json_is_true(v) ? 0 : json_is_false(v) ? 1 : 2;
	return strcmp(o->text, words[i][0]) == 0 || strcmp(o->text, words[i][1]) == 0 ? 0 : 2;
}

bool
condition_holds(const struct condition *c, const json_t *v)
{
	bool any = false;
	for (size_t i = 0; i < c->n_operands && !any; i++)
		any = compare(v, &c->operands[i]) == 0;
	if (c->op == WHERE_EQ)
		return any;
	if (c->op == WHERE_NE)
		return !any;
	int order = compare(v, &c->operands[0]);
	switch (c->op) {
	case WHERE_LT: return order == -1;
	case WHERE_LE: return order == -1 || order == 0;
	case WHERE_GT: return order == 1;
	default: return order == 1 || order == 0;
	}
}
