/* junit.c: how cells ended, as CI servers count it. */
#include "junit.h"
#include "base/die.h"
#include "base/num.h"
#include "json/json_value.h"
#include "layout/layout.h"
#include "metric/metric_text.h"
#include "metric/metrics_record.h"
#include "stats/test_result.h"
#include "text/param_text.h"

struct junit_suite *junit_suites;
struct junit_suite *junit_compared;
size_t junit_n, junit_n_compared;
static json_t *by_key;

static void
clear_cases(struct junit_suite *u)
{
	for (size_t i = 0; i < u->n; i++) {
		free(u->cases[i].status);
		free(u->cases[i].error);
		free(u->cases[i].text);
		free(u->cases[i].source);
		free(u->cases[i].interaction);
	}
	u->n = 0;
}

/* A later attempt replaces the cases of an earlier one. */
static struct junit_suite *
find_suite(const struct metrics_record *r, const struct lines *in)
{
	char *name = metrics_record_text(r, M_name);
	char *usecase = metrics_record_text(r, M_usecase), *label = metrics_record_text(r, M_label);
	if (!name)
		die(ST_INPUT, "%s:%lu:1: metrics without a name", in->name, in->number);
	if (!by_key)
		by_key = json_object();
	char *key = xasprintf("%s\n%s\n%s\n%g", usecase ? usecase : "", label ? label : "", name,
	    r->repetition);
	size_t at = xjson_value_index(by_key, key, junit_n);
	struct junit_suite *u;
	if (at == junit_n) {
		u = XAPPEND(junit_suites, junit_n);
		struct span params = metrics_record_span(r, M_params);
		*u = (struct junit_suite){.usecase = usecase, .name = name, .label = label,
			.repetition = r->repetition, .attempt = r->attempt, .film = r->film,
			.t = NAN,
			.params = span_null(params) ? NULL :
			    xasprintf("%.*s", (int)params.n, params.p)};
	} else {
		u = &junit_suites[at];
		free(name);
		free(usecase);
		free(label);
		if (r->attempt > u->attempt)
			clear_cases(u);
		u->attempt = r->attempt;
	}
	return u;
}

static void
append_case(struct junit_suite *u, const struct metrics_record *r)
{
	struct junit_case *k = XAPPEND(u->cases, u->n);
	*k = (struct junit_case){.index = r->index, .outcome = cell_status_outcome(r->status),
		.seconds = metrics_record_time(r, NULL),
		.status = metrics_record_text(r, M_execution_status),
		.error = metrics_record_text(r, M_error_name),
		.text = metrics_record_text(r, M_error_value),
		.source = metrics_record_text(r, M_source_line)};
	if (!k->status)
		k->status = xstrdup("unknown status");
	if (r->kind == METRICS_INTERACTION)
		k->interaction = metrics_record_text(r, M_interaction);
	if (!k->text)
		k->text = metrics_record_text(r, M_reason);
}

static void
on_notebook(struct junit_suite *u, const struct metrics_record *r)
{
	u->t = metrics_record_number(r, M_run_t);
	json_t *machine = span_json(scan_get(r->members, "machine"));
	const char *host = json_string_value(json_object_get(machine, "host"));
	free(u->host);
	u->host = host ? xstrdup(host) : NULL;
	json_decref(machine);
	/* The notebook is a case of its own if it failed outside any cell, or if it was skipped
	 * and has no cells. */
	enum cell_outcome outcome = cell_status_outcome(r->status);
	bool reported = outcome == CELL_PASSED || (outcome == CELL_LEFT_OUT && u->n);
	for (size_t i = 0; i < u->n; i++)
		reported |= u->cases[i].outcome == CELL_AT_FAULT ||
		    u->cases[i].outcome == CELL_BROKEN;
	if (!reported)
		append_case(u, r);
}

static struct junit_suite *
find_compared(struct scan *s)
{
	char *base = scan_string(s, "base"), *label = scan_string(s, "label");
	char *name = xasprintf("%s against %s", label ? label : "?", base ? base : "?");
	struct junit_suite *u = junit_compared;
	while (u < junit_compared + junit_n_compared && strcmp(u->name, name) != 0)
		u++;
	free(base);
	if (u < junit_compared + junit_n_compared) {
		free(label);
		free(name);
		return u;
	}
	junit_compared = xgrow(junit_compared, junit_n_compared, sizeof *u);
	u = &junit_compared[junit_n_compared++];
	*u = (struct junit_suite){.usecase = scan_string(s, "usecase"), .name = name,
		.label = label, .t = NAN};
	return u;
}

/* Worse is a failure; unknown is skipped. */
static void
on_comparison(struct scan *s)
{
	char *name = scan_string(s, "name"), *metric = scan_string(s, "metric");
	char *change = scan_string(s, "change"), *text = scan_string(s, "result_text");
	double index = num_or_0(span_number(scan_get(s, "cell_index")));
	char *gesture = scan_string(s, "interaction");
	char *place = metric_text_place(name ? name : "?", (long)index, gesture);
	char *word = scan_string(s, "result");
	enum test_result result = test_result_of(word ? word : "");
	struct junit_suite *u = find_compared(s);
	*XAPPEND(u->cases, u->n) = (struct junit_case){.seconds = NAN,
		.outcome = result == WORSE ? CELL_AT_FAULT :
		result == UNKNOWN ? CELL_LEFT_OUT : CELL_PASSED,
		.name = xasprintf("%s: %s", place,
		metric ? metric_title(metric) : "?"), .status = text ? text : xstrdup("?"),
		.text = xasprintf("%s: %s", change ? change : "?", text ? text : "?"),
		.source = scan_string(s, "source_line")};
	free(name);
	free(metric);
	free(change);
	free(word);
	free(place);
	free(gesture);
}

void
junit_read(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	struct metrics_record r = metrics_record_of(s, in);
	if (r.kind == METRICS_CELL || r.kind == METRICS_INTERACTION)
		append_case(find_suite(&r, in), &r);
	else if (r.kind == METRICS_NOTEBOOK)
		on_notebook(find_suite(&r, in), &r);
	else if (scan_type_is(s, "comparison") && span_is(scan_get(s, "gate"), "true"))
		on_comparison(s);
}

void
junit_count_cases(struct junit_count *c, const struct junit_suite *u)
{
	for (size_t i = 0; i < u->n; i++) {
		c->all++;
		c->of[u->cases[i].outcome]++;
		if (isfinite(u->cases[i].seconds) && u->cases[i].index > 0 &&
		    !u->cases[i].interaction)
			c->seconds += u->cases[i].seconds;
	}
}

static char *
of_repetition(const struct junit_suite *u, const char *name)
{
	long repetition = u->repetition > 1 ? (long)u->repetition : 1;
	return layout_run_name(
	    &(struct layout_run){name, NULL, u->film ? LAYOUT_FILM : repetition});
}

char *
junit_suite_name(const struct junit_suite *u)
{
	return of_repetition(u, u->name);
}

json_t *
junit_suite_params(const struct junit_suite *u)
{
	return u->params ? span_json((struct span){u->params, strlen(u->params)}) : NULL;
}

char *
junit_suite_shown(const struct junit_suite *u)
{
	json_t *all = junit_suite_params(u);
	char *params = param_text(all, NULL, SIZE_MAX);
	char *shown = of_repetition(u, params ? params : u->name);
	json_decref(all);
	free(params);
	return shown;
}

char *
junit_case_name(const struct junit_case *k)
{
	if (k->name)
		return xstrdup(k->name);
	if (!(k->index > 0))
		return xstrdup(k->interaction ? k->interaction : "notebook");
	return xasprintf("cell %.0f%s%s", k->index, k->interaction ? ", " : "",
	    k->interaction ? k->interaction : "");
}
