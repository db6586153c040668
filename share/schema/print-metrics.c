/* print-metrics.c: prints the JSON schema of each metric of the catalogue, as lines that can be
 * inserted into a schema's properties.  Usage: print-metrics cell|notebook|interaction */
#include "base/buf.h"
#include "metric/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
put_type(struct buf *b, const struct metric *m)
{
	static const char *const types[] = {[METRIC_SECONDS] = "number", [METRIC_REAL] = "number",
		[METRIC_COUNT] = "integer", [METRIC_TEXT] = "string", [METRIC_BOOLEAN] = "boolean"};
	if (m->words) {
		buf_addf(b, "\"enum\": [\"");
		for (const char *p = m->words; *p; p++)
			buf_add(b, *p == ' ' ? "\", \"" : p, *p == ' ' ? 4 : 1);
		buf_addf(b, "\", null]");
		return;
	}
	bool number = m->type != METRIC_TEXT && m->type != METRIC_BOOLEAN;
	buf_addf(b, "\"type\": [\"%s\", \"null\"]", types[m->type]);
	if (number && (m->type == METRIC_COUNT || m->place != METRIC_IN_CELL))
		buf_addf(b, ", \"minimum\": 0");
}

/* The tables: which metrics they have, and the record that these are copied from. */
static const struct metric_table {
	const char *name, *record;
	bool (*has)(const struct metric *);
} tables[] = {{"cell", "cell", metric_in_cells}, {"notebook", "cell", metric_in_notebooks},
	{"interaction", "interaction", metric_in_interactions}};

static void
put_source(struct buf *b, const struct metric *m, const struct metric_table *of)
{
	static const char *const places[] = {[METRIC_IN_CELL] = "",
		[METRIC_IN_CHANGES] = "changes.", [METRIC_IN_OUTPUTS] = "outputs.",
		[METRIC_IN_PAGE] = "page.",
		[METRIC_IN_KERNEL] = "usage.kernel.", [METRIC_IN_BROWSER] = "usage.browser.",
		[METRIC_IN_SERVER] = "usage.server.", [METRIC_IN_MACHINE] = "usage.machine."};
	if (m->member)
		buf_addf(b, "%s%s of the %s record", of == &tables[2] &&
		    m->place == METRIC_IN_PAGE ? "" : places[m->place], m->member, of->record);
	else
		buf_addf(b, "Computed");
}

static void
put_metric(struct buf *b, const struct metric *m, const struct metric_table *of)
{
	static const char *const overs[METRIC_INTERACTIONS + 1] = {
		[METRIC_SUM] = "sum", [METRIC_MIN] = "minimum", [METRIC_MAX] = "maximum",
		[METRIC_MEAN] = "mean, weighted by client time,"};
	buf_addf(b, "\t\t\"%s\": {\"description\": \"", m->column);
	put_source(b, m, of);
	if (of == &tables[1] && overs[m->over])
		buf_addf(b, "; %s over the cells", overs[m->over]);
	buf_addf(b, ". nbscope-metrics(7) defines it.\", ");
	put_type(b, m);
	buf_addf(b, "},\n");
}

int
main(int argc, char **argv)
{
	const struct metric_table *of = tables;
	struct buf b = {0};
	while (argc == 2 && of < tables + 2 && strcmp(argv[1], of->name) != 0)
		of++;
	for (const struct metric *m = metric_catalogue; m < metric_catalogue + METRICS; m++)
		if (m->type != METRIC_COLUMN && of->has(m))
			put_metric(&b, m, of);
	printf("%s", b.p);
	free(b.p);
	return 0;
}
