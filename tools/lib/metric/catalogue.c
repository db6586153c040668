/* catalogue.c: what nbscope knows of each metric. */
#include "metric/catalogue.h"
#include "base/buf.h"
#include "base/str.h"
#include "text/unit.h"

#include <string.h>

#define METRIC(column, place, member, type, ...) \
	{#column, METRIC_IN_##place, member, METRIC_##type, METRIC_##__VA_ARGS__},
#define COLUMN(id, column, ...) {column, METRIC_IN_CELL, NULL, METRIC_COLUMN, METRIC_##__VA_ARGS__},
const struct metric metric_catalogue[METRICS] = {
#include "metric/catalogue_rows.h"
};

/* ---- the quantities of samples -------------------------------------------------------- */

/* Counters that a cell's usage has too: of events, of bytes, of seconds as a share of the time. */
enum { COUNTED = SERIES_COUNTER | SERIES_SUM };
enum { FLOW = COUNTED | SERIES_BYTES, SHARE = COUNTED | SERIES_PERCENT };
enum { BYTES = SERIES_BYTES, PEAK = SERIES_PEAK, GPU = SERIES_GPU };
enum { PERCENT = SERIES_PERCENT, GPU_USER = SERIES_GPU | SERIES_GPU_USER };

const struct series_def metric_series[METRIC_SERIES] = {
	{"cpu", "CPU", "% of one core", SHARE, "cpu_s", "cpu_busy_s", "cpu_summary"},
	{"memory", "memory (RSS)", "B", BYTES | PEAK, "rss_bytes", NULL, "mem"},
	{"read", "read from storage", "B/s", FLOW, "read_bytes", NULL, "io_read"},
	{"write", "written to storage", "B/s", FLOW, "write_bytes", NULL, "io_write"},
	{"gpu", "GPU utilization", "%", GPU_USER | PERCENT, "utilization_pct", NULL, "gpu_util"},
	{"gpu-memory", "GPU memory", "B", GPU_USER | BYTES, "memory_bytes", NULL, "gpu_mem"},
	{"gpu-bandwidth", "GPU memory bandwidth", "%", GPU | PERCENT,
		"memory_utilization_pct", NULL, "gpu_band"},
	{"gpu-power", "GPU power", "W", GPU, "power_w", NULL},
	{"syscall-read", "read by system calls", "B/s", FLOW, "syscall_read_bytes", NULL},
	{"syscall-write", "written by system calls", "B/s", FLOW, "syscall_write_bytes", NULL},
	{"read-calls", "read calls", "per second", COUNTED, "read_calls", NULL, "io_read_count"},
	{"write-calls", "write calls", "per second", COUNTED, "write_calls", NULL,
		"io_write_count"},
	{"pss", "memory (PSS)", "B", BYTES, "pss_bytes", NULL},
	{"run-queue-wait", "run-queue wait", "% of the time", SHARE, "run_queue_wait_s", NULL},
	{"switches", "context switches", "per second", COUNTED, "context_switches", NULL},
	{"minor-faults", "minor page faults", "per second", COUNTED, "minor_faults", NULL},
	{"major-faults", "major page faults", "per second", COUNTED, "major_faults", NULL},
	{"threads", "threads", "", 0, "threads", NULL},
	{"processes", "processes", "", 0, "processes", NULL},
	{"available", "memory available", "B", BYTES, NULL, "memory_available_bytes"},
	{"load", "load", "", 0, NULL, "load_1min"},
	{"cpu-pressure", "CPU pressure", "% of the time", SHARE, NULL, "cpu_pressure_s"},
	{"io-pressure", "I/O pressure", "% of the time", SHARE, NULL, "io_pressure_s"},
	{"memory-pressure", "memory pressure", "% of the time", SHARE, NULL, "memory_pressure_s"},
	{"power", "power", "W", COUNTED, NULL, "energy_j"},
};

/* ---- what is known of a column -------------------------------------------------------- */

static const struct metric *
metric_of(const char *column)
{
	for (size_t i = 0; i < METRICS; i++)
		if (strcmp(metric_catalogue[i].column, column) == 0)
			return &metric_catalogue[i];
	return NULL;
}

bool
metric_in_cells(const struct metric *m)
{
	return m->over != METRIC_NOTEBOOKS;
}

bool
metric_in_notebooks(const struct metric *m)
{
	return m->over != METRIC_CELLS;
}

const char *
metric_name(const char *name)
{
	for (const struct metric *m = metric_catalogue; m < metric_catalogue + METRICS; m++)
		if (m->alias && strcmp(m->alias, name) == 0)
			return m->column;
	return name;
}

bool
metric_is_known(const char *column)
{
	const struct metric *m = metric_of(column);
	return m && m->alias;
}

const char *
metric_title(const char *column)
{
	const struct metric *m = metric_of(column);
	return m && m->title ? m->title : column;
}

const char *
metric_unit(const char *column)
{
	static struct unit unit;
	if (str_ends_with(column, "_per_s"))
		return "1/s";
	unit = unit_of(column);
	return strcmp(unit.symbol, "B") == 0 ? "bytes" : unit.symbol;
}

/* 2 ms, 10 kB, 0.1 J. */
double
metric_floor(const char *column)
{
	static const double floors[] = {[OF_TIME] = 0.002, [OF_BYTES] = 1e4, [OF_ENERGY] = 0.1,
	    [OF_OTHER] = 0};
	const struct metric *m = metric_of(column);
	if (m && m->floor > 0)
		return m->floor;
	struct unit unit = unit_of(column);
	return str_ends_with(column, "_per_s") ? 0 : floors[unit.quantity] / unit.factor;
}

bool
metric_more_is_better(const char *column)
{
	const struct metric *m = metric_of(column);
	return m ? m->more_is_better : str_ends_with(column, "_per_s");
}

/* ---- schemas ----------------------------------------------------------------------- */

static void
put_type(struct buf *b, const struct metric *m)
{
	static const char *const types[] = {[METRIC_SECONDS] = "number", [METRIC_REAL] = "number",
		[METRIC_COUNT] = "integer", [METRIC_TEXT] = "string", [METRIC_BOOLEAN] = "boolean"};
	if (m->words) {
		buf_addf(b, "\"enum\":[\"");
		for (const char *p = m->words; *p; p++)
			buf_add(b, *p == ' ' ? "\",\"" : p, *p == ' ' ? 3 : 1);
		buf_addf(b, "\",null]");
		return;
	}
	bool number = m->type != METRIC_TEXT && m->type != METRIC_BOOLEAN;
	buf_addf(b, "\"type\":[\"%s\",\"null\"]", types[m->type]);
	if (number && (m->type == METRIC_COUNT || m->place != METRIC_IN_CELL))
		buf_addf(b, ",\"minimum\":0");
}

static void
put_source(struct buf *b, const struct metric *m)
{
	static const char *const places[] = {[METRIC_IN_CELL] = "",
		[METRIC_IN_CHANGES] = "changes.", [METRIC_IN_OUTPUTS] = "outputs.",
		[METRIC_IN_PAGE] = "page.",
		[METRIC_IN_KERNEL] = "usage.kernel.", [METRIC_IN_BROWSER] = "usage.browser.",
		[METRIC_IN_SERVER] = "usage.server.", [METRIC_IN_MACHINE] = "usage.machine."};
	if (m->member)
		buf_addf(b, "%s%s of the cell record", places[m->place], m->member);
	else
		buf_addf(b, "Computed");
}

char *
metric_schema(bool of_cells)
{
	static const char *const overs[] = {[METRIC_SUM] = "sum", [METRIC_MIN] = "minimum",
		[METRIC_MAX] = "maximum", [METRIC_MEAN] = "mean, weighted by client time,"};
	struct buf b = {0};
	for (size_t i = 0; i < METRICS; i++) {
		const struct metric *m = &metric_catalogue[i];
		if (m->type == METRIC_COLUMN ||
		    !(of_cells ? metric_in_cells(m) : metric_in_notebooks(m)))
			continue;
		buf_addf(&b, "%s\"%s\":{\"description\":\"", b.n ? "," : "{", m->column);
		put_source(&b, m);
		if (!of_cells)
			buf_addf(&b, "; %s over the cells", overs[m->over]);
		buf_addf(&b, ". nbscope-metrics(7) defines it.\",");
		put_type(&b, m);
		buf_addf(&b, "}");
	}
	buf_addf(&b, "}");
	return b.p;
}
