/* suitexml.c: JUnit XML, a suite a notebook and a case a cell. */
#include "junit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static void
xml_case(struct buf *b, const struct suite *u, const struct kase *k)
{
	static const char *const element[OUTCOMES] = {[FAILED] = "failure", [BROKEN] = "error", [SKIPPED] = "skipped"};
	char *name = case_name(k), *class = xasprintf("%s%s%s", u->usecase ? u->usecase : "", u->usecase ? "." : "", u->name);
	buf_addf(b, "    <testcase");
	attribute(b, "classname", class);
	attribute(b, "name", name);
	buf_addf(b, " time=\"%.3f\"", isfinite(k->seconds) ? k->seconds : 0);
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

static void
xml_counts(struct buf *b, const struct count *c)
{
	buf_addf(b, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\"",
		c->all, c->of[FAILED], c->of[BROKEN], c->of[SKIPPED], c->seconds);
}

static void
xml_suite(struct buf *b, size_t id)
{
	const struct suite *u = &suite[id];
	struct count c = {0};
	char *name = suite_name(u), when[32] = "1970-01-01T00:00:00";
	suite_count(&c, u);
	if (u->t >= 0 && u->t < 1e11)
		strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", gmtime(&(time_t){(time_t)u->t}));
	buf_addf(b, "  <testsuite id=\"%zu\"", id);
	attribute(b, "package", u->usecase && *u->usecase ? u->usecase : "nbscope");
	attribute(b, "name", *name ? name : "notebook");
	xml_counts(b, &c);
	buf_addf(b, " timestamp=\"%s\"", when);
	attribute(b, "hostname", u->host && *u->host ? u->host : "localhost");
	buf_addf(b, ">\n    <properties>\n");
	xml_property(b, "label", u->label ? u->label : "");
	const char *key;
	json_t *value;
	json_object_foreach(u->params, key, value) {
		char *text = json_is_string(value) ? json_text_string(value) : json_text_of(value);
		char *called = xasprintf("param.%s", key);
		xml_property(b, called, text);
		free(called);
		free(text);
	}
	buf_addf(b, "    </properties>\n");
	for (size_t i = 0; i < u->n; i++)
		xml_case(b, u, &u->kase[i]);
	buf_addf(b, "    <system-out/>\n    <system-err/>\n  </testsuite>\n");
	free(name);
}

void
suite_xml(struct buf *b)
{
	/* The strictest readers take no attribute here. */
	buf_addf(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
	for (size_t i = 0; i < suites; i++)
		xml_suite(b, i);
	if (buf_addf(b, "</testsuites>\n") < 0)
		die(ST_SYSTEM, "the XML is larger than a gigabyte");
}
