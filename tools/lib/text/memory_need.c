/* memory_need.c: the memory that a combination needs. */
#include "text/memory_need.h"
#include "base/die.h"
#include "text/unit.h"

enum { MAX_DECIMALS = 9 };

struct expr *
xmemory_need_parse(const char *text)
{
	char *error;
	if (!text || !text[strspn(text, " \t\r\n")])
		return NULL;
	struct expr *need = expr_parse(text, &error);
	if (!need)
		die(ST_USAGE, "--memory: %s", error);
	return need;
}

static const char *
type_name(struct span v)
{
	return !v.p ? "missing" : *v.p == '"' ? "a string" : *v.p == '[' ? "a list" :
	    *v.p == '{' ? "an object" : "null";
}

double
xmemory_need_bytes(const struct expr *need, struct scan *params, const char *source,
    unsigned long line, const char *name)
{
	const char *fault;
	size_t column;
	double *values = xmalloc((need->n_params + 1) * sizeof *values);
	for (size_t i = 0; i < need->n_params; i++) {
		const struct expr_param *p = &need->params[i];
		struct span v = scan_get(params, p->name);
		values[i] = span_is(v, "true") ? 1 : span_is(v, "false") ? 0 : span_number(v);
		if (!isfinite(values[i]))
			die(ST_INPUT, "%s:%lu:1: --memory, column %zu: "
			    "parameter '%s' is %s in '%s', not a number", source, line, p->column,
			    p->name, type_name(v), name);
	}
	double bytes = expr_value(need, values, &fault, &column);
	free(values);
	if (isnan(bytes))
		die(ST_INPUT, "%s:%lu:1: --memory, column %zu: %s for '%s'", source, line, column,
		    fault, name);
	if (bytes < 0)
		die(ST_INPUT, "%s:%lu:1: --memory is negative for '%s': %g bytes", source, line,
		    name, bytes);
	return bytes;
}

void
memory_need_add(struct buf *b, double low, double high, const char *of_memory, double limit)
{
	struct buf need = {0}, have = {0};
	for (int decimals = 1; decimals <= MAX_DECIMALS; decimals++) {
		need.n = have.n = 0;
		unit_bytes(&need, low, decimals);
		unit_bytes(&have, limit, decimals);
		if (strcmp(need.p, have.p) != 0)
			break;
	}
	buf_addf(b, "%s %s", high > low ? "need" : "needs", need.p);
	if (high > low) {
		buf_addf(b, " to ");
		unit_bytes(b, high, 1);
	}
	buf_addf(b, "%s, this machine has %s", of_memory, have.p);
	buf_free(&need);
	buf_free(&have);
}

char *
memory_need_reason(double bytes, double limit)
{
	struct buf b = {0};
	memory_need_add(&b, bytes, bytes, " of memory", limit);
	return b.p;
}
