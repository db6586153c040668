/* junit_xml.c: the suites as JUnit XML. */
#include "junit_xml.h"
#include "base/die.h"
#include "base/num.h"
#include "json/json_parse.h"
#include "json/json_text.h"
#include "junit.h"
#include "text/markup.h"
#include "text/param_text.h"

#include <time.h>

/* Whether XML 1.0 excludes the character, escaped or not; *n: its bytes. */
static bool
is_forbidden(const char *p, size_t *n)
{
	unsigned char c = (unsigned char)*p;
	*n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	return (c < 0x20 && !strchr("\t\n\r", c)) ||
	    strncmp(p, "\xef\xbf\xbe", 3) == 0 || strncmp(p, "\xef\xbf\xbf", 3) == 0;
}

/* Escapes attributes and text alike.  In an attribute, white space without an escape would
 * become blanks. */
static void
put_escaped(struct buf *b, const char *text)
{
	size_t n;
	for (const char *p = text; *p; p += n) {
		bool bad = is_forbidden(p, &n);
		if (bad)
			buf_addf(b, "\xef\xbf\xbd");
		else if (strchr("\t\n\r", *p))
			buf_addf(b, "&#%d;", *p);
		else if (!markup_escape(b, *p))
			buf_add(b, p, n);
	}
}

static void
put_attribute(struct buf *b, const char *name, const char *text)
{
	buf_addf(b, " %s=\"", name);
	put_escaped(b, text);
	buf_addf(b, "\"");
}

static void
put_case(struct buf *b, const struct junit_suite *u, const struct junit_case *k, const char *params)
{
	static const char *const elements[JUNIT_OUTCOMES] = {
		[CELL_AT_FAULT] = "failure", [CELL_BROKEN] = "error", [CELL_LEFT_OUT] = "skipped"};
	const char *usecase = u->usecase ? u->usecase : "", *error = k->error ? k->error : "";
	const char *source = k->source ? k->source : "";
	char *cell = junit_case_name(k);
	char *name = params && !k->name ? xasprintf("%s %s", params, cell) : xstrdup(cell);
	char *class = xasprintf("%s%s%s", usecase, u->usecase ? "." : "", u->name);
	char *text = xasprintf("%s\n%s%s%s", k->status, source, k->error ? "\n" : "", error);
	buf_addf(b, "    <testcase");
	put_attribute(b, "classname", class);
	put_attribute(b, "name", name);
	buf_addf(b, " time=\"%.3f\"", num_or_0(k->seconds));
	if (k->outcome == CELL_PASSED) {
		buf_addf(b, "/>\n");
	} else {
		buf_addf(b, "><%s", elements[k->outcome]);
		if (k->outcome != CELL_LEFT_OUT)
			put_attribute(b, "type", k->error ? k->error : k->status);
		put_attribute(b, "message", k->text ? k->text : k->status);
		buf_addf(b, ">");
		if (k->outcome != CELL_LEFT_OUT)
			put_escaped(b, text);
		buf_addf(b, "</%s></testcase>\n", elements[k->outcome]);
	}
	free(text);
	free(name);
	free(cell);
	free(class);
}

static void
put_property(struct buf *b, const char *name, const char *value)
{
	buf_addf(b, "      <property");
	put_attribute(b, "name", name);
	put_attribute(b, "value", value);
	buf_addf(b, "/>\n");
}

static void
put_counts(struct buf *b, const struct junit_count *c)
{
	buf_addf(b, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\"",
		c->all, c->of[CELL_AT_FAULT], c->of[CELL_BROKEN], c->of[CELL_LEFT_OUT], c->seconds);
}

/* The estimates of a comparison, of the cases that passed too. */
static void
put_estimates(struct buf *b, const struct junit_suite *u)
{
	buf_addf(b, "    <system-out>");
	for (size_t i = 0; i < u->n; i++) {
		if (!u->cases[i].name)
			continue;
		put_escaped(b, u->cases[i].name);
		buf_addf(b, ": ");
		put_escaped(b, u->cases[i].text);
		buf_addf(b, "\n");
	}
	buf_addf(b, "</system-out>\n");
}

static void
put_suite(struct buf *b, const struct junit_suite *u, size_t id)
{
	struct junit_count c = {0};
	char *name = junit_suite_name(u), when[32] = "1970-01-01T00:00:00";
	junit_count_cases(&c, u);
	if (u->t >= 0 && u->t < 1e11)
		strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", gmtime(&(time_t){(time_t)u->t}));
	buf_addf(b, "  <testsuite id=\"%zu\"", id);
	put_attribute(b, "package", u->usecase && *u->usecase ? u->usecase : "nbscope");
	put_attribute(b, "name", *name ? name : "notebook");
	put_counts(b, &c);
	buf_addf(b, " timestamp=\"%s\"", when);
	put_attribute(b, "hostname", u->host && *u->host ? u->host : "localhost");
	buf_addf(b, ">\n    <properties>\n");
	put_property(b, "label", u->label ? u->label : "");
	const char *key;
	json_t *params = junit_suite_params(u), *value;
	char *params_text = param_text(params, NULL, SIZE_MAX);
	json_object_foreach(params, key, value) {
		char *text = json_is_string(value) ? json_parse_string(value) : json_text_of(value);
		char *property = xasprintf("param.%s", key);
		put_property(b, property, text);
		free(property);
		free(text);
	}
	buf_addf(b, "    </properties>\n");
	for (size_t i = 0; i < u->n; i++)
		put_case(b, u, &u->cases[i], params_text);
	put_estimates(b, u);
	buf_addf(b, "    <system-err/>\n  </testsuite>\n");
	free(name);
	free(params_text);
	json_decref(params);
}

static void
write_suite(FILE *f, const struct junit_suite *u, size_t id)
{
	struct buf b = {0};
	put_suite(&b, u, id);
	fwrite(b.p, 1, b.n, f);
	buf_free(&b);
}

void
junit_xml(FILE *f, void *unused)
{
	(void)unused;
	/* The strictest readers accept no attribute here. */
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", f);
	for (size_t i = 0; i < junit_n; i++)
		write_suite(f, &junit_suites[i], i);
	for (size_t i = 0; i < junit_n_compared; i++)
		write_suite(f, &junit_compared[i], junit_n + i);
	fputs("</testsuites>\n", f);
}
