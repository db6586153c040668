/* suite.c: how cells ended, notebook by notebook, as CI servers count it. */
#include "junit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct suite *suite;
size_t suites;
static json_t *by_key;

static bool
is(const char *text, const char *word)
{
	return text && strcmp(text, word) == 0;
}

/* What a cell did is a failure; what happened to it is an error. */
static enum outcome
outcome_of(const char *status)
{
	if (is(status, "Completed"))
		return PASSED;
	if (is(status, "Skipped") || is(status, "Not Run"))
		return SKIPPED;
	return is(status, "Failed") || is(status, "Timed Out") || is(status, "Not Settled") || is(status, "No Viewer") ? FAILED : BROKEN;
}

static void
forget_cases(struct suite *u)
{
	for (size_t i = 0; i < u->n; i++) {
		free(u->kase[i].status);
		free(u->kase[i].error);
		free(u->kase[i].text);
		free(u->kase[i].source);
	}
	u->n = 0;
}

/* A later attempt begins anew. */
static struct suite *
suite_of(struct scan *s, const struct lines *in)
{
	char *name = scan_string(s, "name"), *usecase = scan_string(s, "usecase"), *label = scan_string(s, "label");
	double repetition = span_number(scan_get(s, "repetition")), attempt = span_number(scan_get(s, "attempt"));
	if (!name)
		die(ST_INPUT, "%s:%lu:1: metrics without a name", in->name, in->number);
	if (!by_key)
		by_key = json_object();
	char *key = xasprintf("%s\n%s\n%s\n%g", usecase ? usecase : "", label ? label : "", name, repetition);
	json_t *at = json_object_get(by_key, key);
	struct suite *u;
	if (!at) {
		json_object_set_new(by_key, key, json_integer((json_int_t)suites));
		suite = xrealloc(suite, (suites + 1) * sizeof *suite);
		u = &suite[suites++];
		*u = (struct suite){.usecase = usecase, .name = name, .label = label, .repetition = repetition, .attempt = attempt,
			.t = NAN, .params = span_json(scan_get(s, "params"))};
	} else {
		u = &suite[json_integer_value(at)];
		free(name);
		free(usecase);
		free(label);
		if (attempt > u->attempt)
			forget_cases(u);
		u->attempt = attempt;
	}
	free(key);
	return u;
}

static void
add_case(struct suite *u, struct scan *s, double index)
{
	u->kase = xrealloc(u->kase, (u->n + 1) * sizeof *u->kase);
	struct kase *k = &u->kase[u->n++];
	*k = (struct kase){.index = index, .seconds = span_number(scan_get(s, "client_execution_time_metric")),
		.status = scan_string(s, "execution_status"), .error = scan_string(s, "error_name"), .text = scan_string(s, "error_value"),
		.source = scan_string(s, "source_line")};
	if (!k->status)
		k->status = xstrdup("without a status");
	k->outcome = outcome_of(k->status);
	if (!k->text)
		k->text = scan_string(s, "reason");
}

void
suite_take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	bool cell = scan_type_is(s, "cell_metrics");
	if (!cell && !scan_type_is(s, "notebook_metrics"))
		return;
	struct suite *u = suite_of(s, in);
	if (cell) {
		add_case(u, s, span_number(scan_get(s, "cell_index")));
		return;
	}
	u->t = span_number(scan_get(s, "t"));
	json_t *machine = span_json(scan_get(s, "machine"));
	const char *host = json_string_value(json_object_get(machine, "host"));
	free(u->host);
	u->host = host ? xstrdup(host) : NULL;
	json_decref(machine);
	/* It failed before or between its cells; of one that was skipped its cells tell, if it has some. */
	char *status = scan_string(s, "execution_status");
	bool told = outcome_of(status) == PASSED || (outcome_of(status) == SKIPPED && u->n);
	for (size_t i = 0; i < u->n; i++)
		told = told || u->kase[i].outcome == FAILED || u->kase[i].outcome == BROKEN;
	if (!told)
		add_case(u, s, 0);
	free(status);
}

void
suite_count(struct count *c, const struct suite *u)
{
	for (size_t i = 0; i < u->n; i++) {
		c->all++;
		c->of[u->kase[i].outcome]++;
		if (isfinite(u->kase[i].seconds) && u->kase[i].index > 0)
			c->seconds += u->kase[i].seconds;
	}
}

char *
suite_name(const struct suite *u)
{
	return u->repetition > 1 ? xasprintf("%s@%.0f", u->name, u->repetition) : xstrdup(u->name);
}

char *
case_name(const struct kase *k)
{
	return k->index > 0 ? xasprintf("cell %.0f", k->index) : xstrdup("notebook");
}
