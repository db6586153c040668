/* metric_text.c: cells and values of metrics as text for people. */
#include "metric/metric_text.h"

#include "base/die.h"
#include "text/param_text.h"

char *
metric_text_place(const char *notebook, long index, const char *interaction)
{
	char *cell = index > 0 ? xasprintf(" cell %ld", index) : xstrdup("");
	char *text = xasprintf("%s%s%s%s", notebook, cell, interaction ? ", " : "",
	    interaction ? interaction : "");
	free(cell);
	return text;
}

char *
metric_text_cell(const struct results *m, const struct result_cell *c)
{
	char *params = m->by_name || !json_object_size(m->varied) ? NULL :
	    param_text(c->params, m->varied, SIZE_MAX);
	const char *name = params ? params : c->name;
	char *text = metric_text_place(name, c->index, c->interaction);
	free(params);
	return text;
}

struct unit_text
metric_text_value(double x, const char *column)
{
	struct unit unit = metric_unit_of(column);
	return unit_text(isfinite(x) ? x : (double)NAN, &unit);
}
