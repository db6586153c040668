/* ran.c: a run and its cells, as its record tells them. */
#include "ran.h"
#include "cellturn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void
ran_clear(struct ran *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->v[i].status);
		free(r->v[i].source);
		free(r->v[i].reason);
		json_decref(r->v[i].usage);
	}
	free(r->v);
	free(r->name);
	free(r->notebook);
	free(r->label);
	free(r->status);
	*r = (struct ran){.number = r->number, .t = NAN, .end_t = NAN};
}

static char *
string_or(struct scan *s, const char *key, const char *otherwise)
{
	char *text = span_string(scan_get(s, key));
	return text ? text : xstrdup(otherwise);
}

static void
take_run(struct ran *r, struct scan *s)
{
	ran_clear(r);
	r->number++;
	r->t = span_number(scan_get(s, "t"));
	r->name = string_or(s, "name", "?");
	r->notebook = string_or(s, "notebook", r->name);
	r->label = string_or(s, "label", "?");
	double repetition = span_number(scan_get(s, "repetition"));
	r->repetition = repetition >= 1 && repetition <= 1e9 ? (long)repetition : 1;
}

static char *
reason_of(struct scan *s)
{
	char *error = span_string(scan_get(s, "error_name")), *value = span_string(scan_get(s, "error_value")), *why = NULL;
	if (error)
		why = value ? xasprintf("%s: %s", error, value) : xstrdup(error);
	free(error);
	free(value);
	return why ? why : span_string(scan_get(s, "reason"));
}

static double
seconds(struct scan *s, const char *key_ms)
{
	return span_number(scan_get(s, key_ms)) / 1000;
}

/* How long that took: the client time, where it has one; until it was cut off. */
static double
taken_s(struct scan *s, double ahead_s)
{
	double client_s = seconds(s, "client_ms"), received_t = span_number(scan_get(s, "received_t")), settled_t = span_number(scan_get(s, "settled_t"));
	if (isfinite(client_s))
		return client_s;
	if (span_lists(scan_get(s, "marks"), "cut_off"))
		return span_number(scan_get(s, "t")) - (isfinite(ahead_s) ? ahead_s : 0) - cell_begin_t(s);
	return fmax(received_t, settled_t) - cell_begin_t(s);
}

static void
take_cell(struct ran *r, struct scan *s, const struct lines *in)
{
	double index = span_number(scan_get(s, "cell_index"));
	if (!(index >= 1 && index <= 1e9))
		die(ST_INPUT, "%s:%lu:1: a cell without cell_index", in->name, in->number);
	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 64;
		r->v = xrealloc(r->v, r->cap * sizeof *r->v);
	}
	/* The kernel's clock runs ahead of the page's by the offset. */
	double ahead_s = seconds(s, "clock_offset_ms");
	r->v[r->n++] = (struct ran_cell){
		.index = (long)index,
		.status = string_or(s, "status", "unknown"),
		.source = string_or(s, "source", ""),
		.reason = reason_of(s),
		.empty = span_is(scan_get(s, "empty"), "true"),
		.t = span_number(scan_get(s, "t")),
		.start_t = cell_begin_t(s),
		.turn_t = fmax(cell_begin_t(s), cell_turn_t(s, false)),
		.kernel_end_t = span_number(scan_get(s, "idle_t")) - (isfinite(ahead_s) ? ahead_s : 0),
		.settled_t = span_number(scan_get(s, "settled_t")),
		.ahead_s = fabs(ahead_s) > seconds(s, "clock_bound_ms") ? ahead_s : 0,
		.client_s = seconds(s, "client_ms"),
		.taken_s = taken_s(s, ahead_s),
		.kernel_s = seconds(s, "kernel_ms"),
		.render_s = seconds(s, "render_ms"),
		.usage = span_null(scan_get(s, "usage")) ? NULL : span_json(scan_get(s, "usage")),
	};
}

bool
ran_take(struct ran *r, struct scan *s, const struct lines *in)
{
	if (scan_type_is(s, "run")) {
		take_run(r, s);
	} else if (scan_type_is(s, "cell")) {
		take_cell(r, s, in);
	} else if (scan_type_is(s, "run_end")) {
		free(r->status);
		r->end_t = span_number(scan_get(s, "t"));
		r->status = string_or(s, "status", "unknown");
	} else {
		return false;
	}
	return true;
}

const char *
first_line(const char *source)
{
	static char *line;
	size_t n;
	for (;;) {
		n = strcspn(source, "\n");
		if (strspn(source, " \t\r") < n || !source[n])
			break;
		source += n + 1;
	}
	free(line);
	line = xasprintf("%.*s", (int)(n < 4096 ? n : 4096), source);
	return line;
}
