/* metricjunit: how cells ended, as a CI server shows it.
 * Reads cell_metrics and notebook_metrics; writes JUnit XML, a suite a notebook
 * and a case a cell, and with --markdown-to a summary for a pull request. */
#include "keep.h"
#include "scan.h"
#include "text.h"
#include "unit.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *out, *markdown_to, *title = "nbscope";
static long most = 20;
static const struct opt opts[] = {
	{'o', "output", OPT_STRING, &out, 0, 0, "FILE", "the XML whole into FILE"},
	{'m', "markdown-to", OPT_STRING, &markdown_to, 0, 0, "FILE", "a summary as Markdown into FILE"},
	{'t', "title", OPT_STRING, &title, 0, 0, "TEXT", "the summary's heading, default nbscope"},
	{0, "most", OPT_INT, &most, 0, 200, "N", "the summary's longest list, default 20"},
	{0},
};
static const struct usage usage = {"metricjunit", "[options] [FILE...]", "Writes metrics as JUnit XML and as a Markdown summary.", opts};

enum outcome { PASSED, FAILED, BROKEN, SKIPPED, OUTCOMES };

struct kase {
	double index, seconds;	/* index 0: the notebook; seconds NaN: not known */
	enum outcome outcome;
	char *status, *error, *text, *source;	/* the last three may be NULL */
};
/* One repetition of a notebook. */
struct suite {
	char *usecase, *name, *label, *host;	/* all but name may be NULL */
	double repetition, attempt, t;
	json_t *params;
	struct kase *kase;
	size_t n;
};
static struct suite *suite;
static size_t suites;
static json_t *by_key;

/* ---- taking -------------------------------------------------------------------------- */

static char *
text_of(struct scan *s, const char *key)
{
	return span_string(scan_get(s, key));
}

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
	char *name = text_of(s, "name"), *usecase = text_of(s, "usecase"), *label = text_of(s, "label");
	double repetition = span_number(scan_get(s, "repetition")), attempt = span_number(scan_get(s, "attempt"));
	if (!name)
		die(ST_INPUT, "%s:%lu:1: metrics without a name", in->name, in->number);
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
		.status = text_of(s, "execution_status"), .error = text_of(s, "error_name"), .text = text_of(s, "error_value"),
		.source = text_of(s, "source_line")};
	if (!k->status)
		k->status = xstrdup("without a status");
	k->outcome = outcome_of(k->status);
	if (!k->text)
		k->text = text_of(s, "reason");
}

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
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
	/* It failed before or between its cells. */
	char *status = text_of(s, "execution_status");
	bool told = outcome_of(status) == PASSED;
	for (size_t i = 0; i < u->n; i++)
		told = told || u->kase[i].outcome == FAILED || u->kase[i].outcome == BROKEN;
	if (!told)
		add_case(u, s, 0);
	free(status);
}

/* ---- JUnit --------------------------------------------------------------------------- */

/* Whether XML 1.0 has no such character, escaped or not; *n: its bytes. */
static bool
forbidden(const char *p, size_t *n)
{
	unsigned char c = (unsigned char)*p;
	*n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	return (c < 0x20 && !strchr("\t\n\r", c)) || strncmp(p, "\xef\xbf\xbe", 3) == 0 || strncmp(p, "\xef\xbf\xbf", 3) == 0;
}

/* The same for attributes and text; white space other than blanks would become
 * blanks in the one. */
static void
xml_text(struct buf *b, const char *text)
{
	size_t n;
	for (const char *p = text; *p; p += n) {
		bool bad = forbidden(p, &n);
		if (bad)
			buf_addf(b, "\xef\xbf\xbd");
		else if (strchr("&<>\"'\t\n\r", *p))
			buf_addf(b, "&#%d;", *p);
		else
			buf_add(b, p, n);
	}
}

static void
attribute(struct buf *b, const char *name, const char *text)
{
	buf_addf(b, " %s=\"", name);
	xml_text(b, text);
	buf_addf(b, "\"");
}

static char *
case_name(const struct kase *k)
{
	return k->index > 0 ? xasprintf("cell %.0f", k->index) : xstrdup("notebook");
}

static void
xml_case(struct buf *b, const struct suite *u, const struct kase *k)
{
	static const char *const element[OUTCOMES] = {[FAILED] = "failure", [BROKEN] = "error", [SKIPPED] = "skipped"};
	char *name = case_name(k), *class = xasprintf("%s%s%s", u->usecase ? u->usecase : "", u->usecase ? "." : "", u->name);
	buf_addf(b, "    <testcase");
	attribute(b, "classname", class);
	attribute(b, "name", name);
	buf_addf(b, " time=\"%.6f\"", isfinite(k->seconds) ? k->seconds : 0);
	if (k->outcome == PASSED) {
		buf_addf(b, "/>\n");
	} else {
		buf_addf(b, "><%s", element[k->outcome]);
		if (k->outcome != SKIPPED)
			attribute(b, "type", k->error ? k->error : k->status);
		attribute(b, "message", k->text ? k->text : k->status);
		buf_addf(b, ">");
		char *whole = xasprintf("%s\n%s%s%s", k->status, k->source ? k->source : "", k->error ? "\n" : "", k->error ? k->error : "");
		if (k->outcome != SKIPPED)
			xml_text(b, whole);
		free(whole);
		buf_addf(b, "</%s></testcase>\n", element[k->outcome]);
	}
	free(name);
	free(class);
}

static void
xml_property(struct buf *b, const char *name, const char *value)
{
	buf_addf(b, "      <property");
	attribute(b, "name", name);
	attribute(b, "value", value);
	buf_addf(b, "/>\n");
}

struct count {
	size_t all, of[OUTCOMES];
	double seconds;
};

static void
count_suite(struct count *c, const struct suite *u)
{
	for (size_t i = 0; i < u->n; i++) {
		c->all++;
		c->of[u->kase[i].outcome]++;
		if (isfinite(u->kase[i].seconds) && u->kase[i].index > 0)
			c->seconds += u->kase[i].seconds;
	}
}

static void
xml_counts(struct buf *b, const struct count *c)
{
	buf_addf(b, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.6f\"",
		c->all, c->of[FAILED], c->of[BROKEN], c->of[SKIPPED], c->seconds);
}

/* "demo-n1", its second repetition "demo-n1@2", as their files are called. */
static char *
suite_name(const struct suite *u)
{
	return u->repetition > 1 ? xasprintf("%s@%.0f", u->name, u->repetition) : xstrdup(u->name);
}

static void
xml_suite(struct buf *b, const struct suite *u)
{
	struct count c = {0};
	char *name = suite_name(u), when[32] = "1970-01-01T00:00:00";
	count_suite(&c, u);
	if (u->t >= 0 && u->t < 1e11)
		strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", gmtime(&(time_t){(time_t)u->t}));
	buf_addf(b, "  <testsuite");
	attribute(b, "name", name);
	xml_counts(b, &c);
	buf_addf(b, " timestamp=\"%s\"", when);
	attribute(b, "hostname", u->host ? u->host : "unknown");
	buf_addf(b, ">\n    <properties>\n");
	xml_property(b, "label", u->label ? u->label : "");
	const char *key;
	json_t *value;
	json_object_foreach(u->params, key, value) {
		char *text = json_is_string(value) ? whole_text(value) : json_text(value);
		char *called = xasprintf("param.%s", key);
		xml_property(b, called, text);
		free(called);
		free(text);
	}
	buf_addf(b, "    </properties>\n");
	for (size_t i = 0; i < u->n; i++)
		xml_case(b, u, &u->kase[i]);
	buf_addf(b, "  </testsuite>\n");
	free(name);
}

static void
put_xml(struct buf *b)
{
	struct count c = {0};
	for (size_t i = 0; i < suites; i++)
		count_suite(&c, &suite[i]);
	buf_addf(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"nbscope\"");
	xml_counts(b, &c);
	buf_addf(b, ">\n");
	for (size_t i = 0; i < suites; i++)
		xml_suite(b, &suite[i]);
	if (buf_addf(b, "</testsuites>\n") < 0)
		die(ST_SYSTEM, "the XML is larger than a gigabyte");
}

/* ---- Markdown ------------------------------------------------------------------------- */

/* One line, at most so many columns; nothing in it is markup, a mention or a link. */
static void
markdown_text(struct buf *b, const char *text, size_t columns)
{
	struct buf line = {0};
	show_text(&line, text, columns);
	for (const char *p = line.p ? line.p : ""; *p; p++)
		if (strchr("&<>@#|\\`*_[]~:$!", *p) || (*p == '.' && p > line.p && p[-1] == 'w'))
			buf_addf(b, "&#%d;", *p);
		else
			buf_add(b, p, 1);
	buf_free(&line);
}

static void
seconds_text(struct buf *b, double s)
{
	struct unit unit;
	unit_parse("s", &unit);
	unit_print(b, s, &unit, false);
}

static void
markdown_row(struct buf *b, const struct suite *u, const struct kase *k)
{
	char *name = suite_name(u), *what = case_name(k);
	buf_addf(b, "| ");
	markdown_text(b, name, 180);
	buf_addf(b, " | %s | ", what);
	free(name);
	free(what);
}

static void
markdown_bad(struct buf *b, size_t bad)
{
	size_t shown = 0;
	buf_addf(b, "\n| notebook | cell | how it ended | why |\n|---|---|---|---|\n");
	for (size_t i = 0; i < suites; i++) {
		for (size_t n = 0; n < suite[i].n && shown < (size_t)most; n++) {
			const struct kase *k = &suite[i].kase[n];
			if (k->outcome != FAILED && k->outcome != BROKEN)
				continue;
			shown++;
			markdown_row(b, &suite[i], k);
			markdown_text(b, k->status, 40);
			buf_addf(b, " | ");
			markdown_text(b, k->error ? k->error : "", 60);
			buf_addf(b, "%s", k->error && k->text ? ": " : "");
			markdown_text(b, k->text ? k->text : "", 160);
			buf_addf(b, " |\n");
		}
	}
	if (shown < bad)
		buf_addf(b, "\n%zu more did not complete.\n", bad - shown);
}

struct place {
	const struct suite *u;
	const struct kase *k;
};

static int
slower(const void *a, const void *b)
{
	double x = ((const struct place *)a)->k->seconds, y = ((const struct place *)b)->k->seconds;
	return (x < y) - (x > y);
}

static void
markdown_slowest(struct buf *b, size_t cells)
{
	enum { SLOWEST = 5 };
	struct place *p = xmalloc((cells + 1) * sizeof *p);
	size_t n = 0;
	for (size_t i = 0; i < suites; i++)
		for (size_t k = 0; k < suite[i].n; k++)
			if (suite[i].kase[k].index > 0 && isfinite(suite[i].kase[k].seconds))
				p[n++] = (struct place){&suite[i], &suite[i].kase[k]};
	qsort(p, n, sizeof *p, slower);
	if (n)
		buf_addf(b, "\n<details><summary>Slowest cells</summary>\n\n| notebook | cell | client time | first line |\n|---|---|---:|---|\n");
	for (size_t i = 0; i < n && i < SLOWEST; i++) {
		markdown_row(b, p[i].u, p[i].k);
		seconds_text(b, p[i].k->seconds);
		buf_addf(b, " | ");
		markdown_text(b, p[i].k->source ? p[i].k->source : "", 80);
		buf_addf(b, " |\n");
	}
	if (n)
		buf_addf(b, "\n</details>\n");
	free(p);
}

static void
put_markdown(struct buf *b)
{
	struct count c = {0};
	for (size_t i = 0; i < suites; i++)
		count_suite(&c, &suite[i]);
	size_t bad = c.of[FAILED] + c.of[BROKEN];
	buf_addf(b, "### ");
	markdown_text(b, title, 100);
	if (!c.all)
		buf_addf(b, ": nothing ran\n");
	else if (bad)
		buf_addf(b, ": %zu of %zu did not complete\n", bad, c.all);
	else
		buf_addf(b, ": all that ran completed\n");
	buf_addf(b, "\n%zu run%s of notebooks, %zu cell%s, %zu completed, %zu skipped or not run, ", suites, suites == 1 ? "" : "s",
		c.all, c.all == 1 ? "" : "s", c.of[PASSED], c.of[SKIPPED]);
	seconds_text(b, c.seconds);
	buf_addf(b, " of client time.\n");
	if (bad)
		markdown_bad(b, bad);
	markdown_slowest(b, c.all);
}

static void
put_buf(FILE *f, void *arg)
{
	const struct buf *b = arg;
	fwrite(b->p, 1, b->n, f);
}

int
main(int argc, char **argv)
{
	int first = options(argc, argv, &usage);
	signal(SIGINT, SIG_IGN);
	by_key = json_object();
	xscan_files(argv + first, take);
	struct buf xml = {0}, markdown = {0};
	put_xml(&xml);
	put_markdown(&markdown);
	if (out)
		xkeep(out, put_buf, &xml);
	else
		xput_text(xml.p, xml.n);
	if (markdown_to)
		xkeep(markdown_to, put_buf, &markdown);
	xclose_stdout();
	return ST_OK;
}
