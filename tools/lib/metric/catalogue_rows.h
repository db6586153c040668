/* catalogue_rows.h: the catalogue of metrics, one row each, in the order of the CSV columns.
 * Included by catalogue.h and catalogue.c, each with its own definition of METRIC and COLUMN.
 *
 * METRIC(column, object of the cell record, member, type, aggregation over cells, ...)
 *	no member: cellmetrics computes it (tools/metric/cellmetrics/cell_values.c)
 * COLUMN(identifier, "column", tables, ...)
 *	describes the cell or the run; written by tools/metric/cellmetrics/metric_line.c
 * ...	optional members of struct metric; TOO: interactions have the column, as they have
 *	all of usage and changes; INTERACTIONS: only they have it */

#define PROCESS(role) .label = "process=\"" role "\""
#define PHASE(name) .family = "phase_seconds", .label = "phase=\"" name "\""
#define MEMORY .floor = 1e6
#define PERCENT .unit = "%"
#define TOO .interactions = true

/* What only one of the two roles has. */
#define BROWSER_PEAK .title = "browser peak memory",
#define BROWSER_READ
#define BROWSER_WRITE
#define KERNEL_PEAK .alias = "memory", .title = "peak memory",
#define KERNEL_READ , .family = "storage_read_bytes", \
	.help = "Bytes that the kernel's processes read from storage."
#define KERNEL_WRITE , .family = "storage_written_bytes", \
	.help = "Bytes that the kernel's processes wrote to storage."
#define ROLE(role, ROLE_, legacy) \
	METRIC(legacy##_min_cpu_metric, ROLE_, NULL, REAL, MIN, PERCENT) \
	METRIC(legacy##_mean_cpu_metric, ROLE_, NULL, REAL, MEAN, PERCENT, \
		.family = "cpu_usage_ratio", PROCESS(#role), \
		.help = "Mean CPU use; 1 is one core.") \
	METRIC(legacy##_max_cpu_metric, ROLE_, NULL, REAL, MAX, PERCENT) \
	METRIC(legacy##_min_memory_metric, ROLE_, NULL, REAL, MIN, PERCENT) \
	METRIC(legacy##_mean_memory_metric, ROLE_, NULL, REAL, MEAN, PERCENT) \
	METRIC(legacy##_max_memory_metric, ROLE_, NULL, REAL, MAX, PERCENT) \
	METRIC(role##_cpu_s, ROLE_, "cpu_s", REAL, SUM, .title = #role " CPU time", \
		.family = "cpu_seconds", PROCESS(#role), \
		.help = "CPU time of the processes of the kernel, the browser and the server.") \
	METRIC(role##_run_queue_wait_s, ROLE_, "run_queue_wait_s", REAL, SUM) \
	METRIC(role##_peak_rss_bytes, ROLE_, "peak_rss_bytes", COUNT, MAX, MEMORY, ROLE_##_PEAK \
		.family = "memory_peak_bytes", PROCESS(#role), .help = "Peak resident memory.") \
	METRIC(role##_min_rss_bytes, ROLE_, NULL, COUNT, MIN, MEMORY) \
	METRIC(role##_mean_rss_bytes, ROLE_, NULL, COUNT, MEAN, MEMORY) \
	METRIC(role##_max_rss_bytes, ROLE_, NULL, COUNT, MAX, MEMORY) \
	METRIC(role##_rss_bytes, ROLE_, "rss_bytes", COUNT, MAX, MEMORY) \
	METRIC(role##_pss_bytes, ROLE_, "pss_bytes", COUNT, MAX, MEMORY) \
	METRIC(role##_read_bytes, ROLE_, "read_bytes", COUNT, SUM ROLE_##_READ) \
	METRIC(role##_write_bytes, ROLE_, "write_bytes", COUNT, SUM ROLE_##_WRITE) \
	METRIC(role##_syscall_read_bytes, ROLE_, "syscall_read_bytes", COUNT, SUM) \
	METRIC(role##_syscall_write_bytes, ROLE_, "syscall_write_bytes", COUNT, SUM) \
	METRIC(role##_minor_faults, ROLE_, "minor_faults", COUNT, SUM) \
	METRIC(role##_major_faults, ROLE_, "major_faults", COUNT, SUM) \
	METRIC(role##_voluntary_switches, ROLE_, "voluntary_switches", COUNT, SUM) \
	METRIC(role##_involuntary_switches, ROLE_, "involuntary_switches", COUNT, SUM) \
	METRIC(role##_processes, ROLE_, "processes", COUNT, MAX) \
	METRIC(role##_threads, ROLE_, "threads", COUNT, MAX) \
	METRIC(role##_energy_j, ROLE_, NULL, REAL, SUM, .family = "energy_joules", PROCESS(#role), \
		.help = "Energy of processors and memory, shared by CPU time.") \
	METRIC(role##_co2e_g, ROLE_, NULL, REAL, SUM) \
	METRIC(role##_samples, ROLE_, NULL, COUNT, SUM)

COLUMN(notebook_filename, "notebook_filename", BOTH, TOO)
COLUMN(cell_index, "cell_index", CELLS, TOO, .title = "cell")
COLUMN(interaction, "interaction", INTERACTIONS)
METRIC(number, CELL, "number", COUNT, INTERACTIONS)
COLUMN(execution_status, "execution_status", CELLS, TOO)
COLUMN(total_cells, "total_cells", NOTEBOOKS)
COLUMN(executed_cells, "executed_cells", NOTEBOOKS)
COLUMN(profiled_cells, "profiled_cells", NOTEBOOKS)
COLUMN(params, "params", BOTH, TOO)
METRIC(client_total_data_received_metric, CELL, NULL, REAL, SUM, .alias = "bytes",
	.title = "data received", .unit = "MB", .family = "received_bytes",
	.help = "Bytes that the page received over WebSocket and HTTP.")
METRIC(client_execution_time_metric, CELL, "client_ms", SECONDS, SUM, TOO, .alias = "client",
	.title = "client time", .unit = "s", .family = "client_seconds",
	.help = "Time from the key press to the last visible change.")
METRIC(kernel_execution_time_metric, CELL, "kernel_ms", SECONDS, SUM, TOO, .alias = "kernel",
	.title = "kernel time", .unit = "s")
METRIC(latency_s, CELL, "latency_ms", SECONDS, INTERACTIONS, .alias = "latency", .title = "latency",
	.floor = 0.017, .family = "latency_seconds",
	.help = "Time from an input to the next frame that shows its effect.")
METRIC(input_delay_s, CELL, "input_delay_ms", SECONDS, INTERACTIONS)
METRIC(processing_s, CELL, "processing_ms", SECONDS, INTERACTIONS)
METRIC(presentation_s, CELL, "presentation_ms", SECONDS, INTERACTIONS)
METRIC(first_visual_change_s, CELL, "first_visual_change_ms", SECONDS, INTERACTIONS)
METRIC(gesture_s, CELL, "gesture_ms", SECONDS, INTERACTIONS)
METRIC(after_end_s, CELL, "after_end_ms", SECONDS, INTERACTIONS)
METRIC(behind_mean_s, CELL, "behind_mean_ms", SECONDS, INTERACTIONS)
METRIC(behind_max_s, CELL, "behind_max_ms", SECONDS, INTERACTIONS, .family = "behind_seconds",
	.help = "How far the output was behind the pointer, at most.")
METRIC(person_s, CELL, "person_ms", SECONDS, INTERACTIONS, PHASE("person"),
	.help = "Time in each phase of an interaction.")
METRIC(input_s, CELL, "input_ms", SECONDS, INTERACTIONS, PHASE("input"))
METRIC(page_s, CELL, "page_ms", SECONDS, INTERACTIONS, PHASE("page"))
COLUMN(notebook_status, "execution_status", NOTEBOOKS)
COLUMN(label, "label", BOTH, TOO)
COLUMN(repetition, "repetition", BOTH, TOO)
COLUMN(attempt, "attempt", BOTH, TOO)
COLUMN(cell_id, "cell_id", CELLS, TOO)
METRIC(dispatch_s, CELL, "dispatch_ms", SECONDS, SUM, PHASE("dispatch"),
	.help = "Time in each phase; transport where queue and delivery cannot be separated.")
METRIC(queue_s, CELL, "queue_ms", SECONDS, SUM, PHASE("queue"))
METRIC(kernel_s, CELL, "kernel_ms", SECONDS, SUM, TOO, PHASE("kernel"))
METRIC(delivery_s, CELL, "delivery_ms", SECONDS, SUM, TOO, PHASE("delivery"))
METRIC(render_s, CELL, "render_ms", SECONDS, SUM, TOO, PHASE("render"))
METRIC(unattributed_s, CELL, "unattributed_ms", SECONDS, SUM, TOO)
METRIC(last_visual_change_s, CELL, NULL, REAL, CELLS, TOO)
METRIC(ws_messages, CELL, NULL, COUNT, SUM)
METRIC(ws_bytes_received, CELL, "ws_bytes_received", COUNT, SUM)
COLUMN(error_name, "error_name", BOTH)
COLUMN(error_value, "error_value", BOTH)
COLUMN(marks, "marks", BOTH, TOO)
METRIC(transport_s, CELL, "transport_ms", SECONDS, SUM, TOO, PHASE("transport"))
METRIC(handling_delay_s, CELL, "handling_delay_ms", SECONDS, SUM)
METRIC(kernel_comm_s, CELL, "kernel_comm_ms", SECONDS, SUM)
METRIC(ws_messages_sent, CELL, "ws_messages_sent", COUNT, SUM)
METRIC(ws_messages_received, CELL, "ws_messages_received", COUNT, SUM)
METRIC(ws_bytes_sent, CELL, "ws_bytes_sent", COUNT, SUM)
METRIC(comm_messages_sent, CELL, "comm_messages_sent", COUNT, SUM, TOO)
METRIC(comm_messages_received, CELL, "comm_messages_received", COUNT, SUM, TOO)
METRIC(comm_bytes_sent, CELL, "comm_bytes_sent", COUNT, INTERACTIONS)
METRIC(comm_bytes_received, CELL, "comm_bytes_received", COUNT, INTERACTIONS)
METRIC(kernel_callback_s, CELL, "kernel_callback_ms", SECONDS, INTERACTIONS)
METRIC(unanswered_max, CELL, "unanswered_max", COUNT, INTERACTIONS)
METRIC(unanswered_at_end, CELL, "unanswered_at_end", COUNT, INTERACTIONS)
METRIC(updates_coalesced, CELL, "updates_coalesced", COUNT, INTERACTIONS)
METRIC(inputs, CELL, "inputs", COUNT, INTERACTIONS)
METRIC(inputs_dispatched, CELL, "inputs_dispatched", COUNT, INTERACTIONS)
METRIC(inputs_merged, CELL, "inputs_merged", COUNT, INTERACTIONS)
METRIC(http_bytes_received, CELL, "http_bytes_received", COUNT, SUM)
METRIC(outputs, OUTPUTS, "count", COUNT, SUM)
METRIC(outputs_bytes, OUTPUTS, "bytes", COUNT, SUM)
METRIC(changes_dom, CHANGES, "dom", COUNT, SUM)
METRIC(changes_canvas2d, CHANGES, "canvas2d", COUNT, SUM)
METRIC(changes_webgl, CHANGES, "webgl", COUNT, SUM)
METRIC(changes_image, CHANGES, "image", COUNT, SUM)
METRIC(changes_size, CHANGES, "size", COUNT, SUM)
METRIC(script_s, CELL, "script_ms", SECONDS, SUM, TOO, .title = "script time")
ROLE(browser, BROWSER, client)
ROLE(kernel, KERNEL, kernel)
METRIC(server_cpu_s, SERVER, "cpu_s", REAL, SUM, .family = "cpu_seconds", PROCESS("server"))
METRIC(server_rss_bytes, SERVER, "rss_bytes", COUNT, MAX, MEMORY)
METRIC(machine_cpu_s, MACHINE, "cpu_busy_s", REAL, SUM)
METRIC(machine_energy_j, MACHINE, "energy_j", REAL, SUM, .family = "machine_energy_joules",
	.help = "Energy of the machine's processors and memory.")
METRIC(processors_used, MACHINE, NULL, REAL, MEAN, .title = "processors used")
METRIC(busiest_processor_pct, MACHINE, NULL, REAL, MAX, PERCENT)
METRIC(load_1min, MACHINE, "load_1min", REAL, MAX)
METRIC(cpu_pressure_s, MACHINE, "cpu_pressure_s", REAL, SUM)
METRIC(io_pressure_s, MACHINE, "io_pressure_s", REAL, SUM)
METRIC(memory_pressure_s, MACHINE, "memory_pressure_s", REAL, SUM)
METRIC(gpu_mean_utilization_pct, MACHINE, NULL, REAL, MEAN, .family = "gpu_utilization_ratio",
	.help = "Mean utilization of the GPUs.")
METRIC(gpu_max_utilization_pct, MACHINE, NULL, REAL, MAX)
METRIC(gpu_max_memory_bytes, MACHINE, NULL, COUNT, MAX, .family = "gpu_memory_peak_bytes",
	.help = "Peak memory in use on all GPUs together.")
METRIC(console_errors, PAGE, NULL, COUNT, SUM, .family = "console_errors",
	.help = "Errors in the page's console.")
METRIC(total_blocking_time_s, PAGE, "total_blocking_time_ms", SECONDS, SUM, TOO,
	.family = "total_blocking_time_seconds",
	.help = "Time for which the page's main thread was blocked.")
METRIC(long_animation_frames, PAGE, "long_animation_frame_count", COUNT, SUM, TOO)
METRIC(long_animation_frame_s, PAGE, "long_animation_frame_ms", SECONDS, SUM, TOO)
METRIC(frames_shown, PAGE, "frames_shown", COUNT, SUM, TOO, .more_is_better = true)
METRIC(frames_possible, PAGE, "frames_possible", COUNT, INTERACTIONS)
METRIC(frames_dropped, PAGE, "frames_dropped", COUNT, SUM, TOO, .family = "dropped_frames",
	.help = "Frames that were dropped while the output changed.")
METRIC(longest_gap_s, PAGE, "longest_gap_ms", SECONDS, MAX, TOO)
METRIC(heap_bytes, PAGE, "heap_bytes", COUNT, MAX, MEMORY, .title = "JavaScript heap")
METRIC(nodes, PAGE, "nodes", COUNT, MAX, .title = "DOM nodes")
METRIC(widget_views, PAGE, "widget_views", COUNT, MAX, .title = "widget views")
METRIC(speed_index_s, PAGE, NULL, REAL, SUM, .title = "Speed Index")
METRIC(longest_interaction_s, CELL, NULL, REAL, NOTEBOOKS, .title = "longest interaction",
	.family = "longest_interaction_seconds",
	.help = "The longest latency of the notebook's interactions.")
COLUMN(failed_cell, "failed_cell", NOTEBOOKS)
METRIC(visually_complete_85_s, PAGE, NULL, REAL, CELLS)
METRIC(visually_complete_95_s, PAGE, NULL, REAL, CELLS)
METRIC(visually_complete_99_s, PAGE, NULL, REAL, CELLS)
METRIC(heap_before_bytes, PAGE, "heap_before_bytes", COUNT, CELLS, MEMORY)
METRIC(comm_messages_per_view, PAGE, "comm_messages_per_view", REAL, CELLS)
METRIC(browser_peak_method, BROWSER, "peak_method", TEXT, CELLS, .words = "vmhwm sampled")
METRIC(browser_usage_reason, BROWSER, "reason", TEXT, CELLS)
METRIC(kernel_peak_method, KERNEL, "peak_method", TEXT, CELLS, .words = "vmhwm sampled")
METRIC(kernel_usage_reason, KERNEL, "reason", TEXT, CELLS)
METRIC(energy_method, MACHINE, "energy_method", TEXT, CELLS, .words = "rapl estimate")
METRIC(energy_reason, MACHINE, "energy_reason", TEXT, CELLS)
METRIC(gpu_reason, MACHINE, "gpu_reason", TEXT, CELLS)
METRIC(run_queue_wait_cause, CELL, NULL, TEXT, CELLS, TOO, .words = "others own unknown")
METRIC(items, CELL, "items", REAL, CELLS)
METRIC(items_done, CELL, "items_done", REAL, CELLS)
METRIC(items_per_s, CELL, "items_per_s", REAL, CELLS, .title = "throughput",
	.more_is_better = true, .family = "items_per_second",
	.help = "Items per second, as the cell prints them or over its client time.")
METRIC(items_done_per_s, CELL, NULL, REAL, CELLS, .more_is_better = true)
METRIC(items_done_pct, CELL, "items_done_pct", REAL, CELLS, .title = "share of items",
	.more_is_better = true, .family = "items_done_ratio",
	.help = "Share of the items that were processed completely.")
METRIC(items_unit, CELL, "items_unit", TEXT, CELLS)
METRIC(items_done_meaning, CELL, "items_done_meaning", TEXT, CELLS)
METRIC(items_reason, CELL, "items_reason", TEXT, CELLS)
COLUMN(diagnosis, "diagnosis", CELLS, TOO)
METRIC(clock_offset_s, CELL, "clock_offset_ms", SECONDS, CELLS)
METRIC(clock_bound_s, CELL, "clock_bound_ms", SECONDS, CELLS)
METRIC(changed, CELL, "changed", BOOLEAN, CELLS)
METRIC(waited, CELL, "waited", BOOLEAN, CELLS)
METRIC(last_visual_change_kind, CELL, "last_visual_change_kind", TEXT, CELLS, TOO)
METRIC(latency_source, CELL, "latency_source", TEXT, INTERACTIONS, .words = "event_timing frame")
METRIC(input, CELL, "input", TEXT, INTERACTIONS)
METRIC(gesture, CELL, "gesture", TEXT, INTERACTIONS)
METRIC(pace, CELL, "pace", TEXT, INTERACTIONS, .words = "recorded fast")
COLUMN(profiled, "profiled", CELLS)
COLUMN(tags, "tags", CELLS)
COLUMN(reason, "reason", BOTH, TOO)
COLUMN(source_line, "source_line", CELLS)
COLUMN(heading, "heading", CELLS)
METRIC(screenshot, CELL, "screenshot", TEXT, CELLS, TOO)
COLUMN(wall_s, "wall_s", NOTEBOOKS, .family = "wall_seconds",
	.help = "Duration of the whole run, including opening the notebook.")
COLUMN(open_s, "open_s", NOTEBOOKS, .family = "open_seconds",
	.help = "Time until the notebook was open and its kernel ready.")
COLUMN(loading_s, "loading_s", NOTEBOOKS)
COLUMN(t, "t", CELLS, TOO)
COLUMN(run_t, "t", NOTEBOOKS, .family = "start_timestamp_seconds",
	.help = "When the last repetition started, in Unix time.")
COLUMN(browser, "browser", NOTEBOOKS)
COLUMN(window, "window", NOTEBOOKS)
COLUMN(jupyterlab, "jupyterlab", NOTEBOOKS)
COLUMN(kernel, "kernel", NOTEBOOKS)
COLUMN(language, "language", NOTEBOOKS)
COLUMN(usecase, "usecase", BOTH, TOO)
COLUMN(name, "name", BOTH, TOO)
COLUMN(nbscope_version, "nbscope_version", BOTH, TOO)

#undef PROCESS
#undef PHASE
#undef MEMORY
#undef PERCENT
#undef TOO
#undef BROWSER_PEAK
#undef BROWSER_READ
#undef BROWSER_WRITE
#undef KERNEL_PEAK
#undef KERNEL_READ
#undef KERNEL_WRITE
#undef ROLE
#undef METRIC
#undef COLUMN
