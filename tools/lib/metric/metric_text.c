/* metric_text.c: cells and values of metrics as text for people. */
#include "metric/metric_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nbscope.h"
#include "base/die.h"
#include "text/param_text.h"

char *
metric_text_cell(const struct results *m, const struct result_cell *c)
{
	char *params = m->by_name || !json_object_size(m->varied) ? NULL :
	    param_text(c->params, m->varied, SIZE_MAX);
	const char *name = params ? params : c->name;
	char *text = c->index > 0 ? xasprintf("%s cell %ld", name, c->index) : xstrdup(name);
	free(params);
	return text;
}

char *
metric_text_value(double x, const char *column)
{
	static const struct { const char *base; double min, scale; const char *unit; } units[] = {
		{"s", 1, 1, "s"}, {"s", 1e-3, 1e-3, "ms"}, {"s", 0, 1e-6, "us"},
		{"bytes", 1e9, 1e9, "GB"}, {"bytes", 1e6, 1e6, "MB"}, {"bytes", 1e3, 1e3, "kB"},
		{"bytes", 0, 1, "bytes"}};
	const char *unit = metric_unit(column);
	if (!isfinite(x))
		return xstrdup("-");
	if (strcmp(unit, "MB") == 0) {
		unit = "bytes";
		x *= 1e6;
	}
	if (strcmp(unit, "s") == 0 && !(fabs(x) > 0))
		return xstrdup("0 s");
	for (size_t i = 0; i < COUNT(units); i++)
		if (strcmp(unit, units[i].base) == 0 && fabs(x) >= units[i].min)
			return xasprintf("%.4g %s", x / units[i].scale, units[i].unit);
	return xasprintf("%.4g%s%s", x, *unit ? " " : "", unit);
}
