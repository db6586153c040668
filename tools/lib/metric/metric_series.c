/* metric_series.c: the quantities that samples have over time. */
#include "metric/metric_series.h"

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
