/* run_record.c: the records of a whole run, and writing a record. */
#include "record/run_record.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/file.h"
#include "base/output.h"
#include "base/str.h"
#include "json/json_value.h"
#include "json/lines.h"
#include "kernel/kernel_process.h"
#include "machine/cgroup_limits.h"
#include "notebook/run_options.h"
#include "record/run_signals.h"
#include "server/kernel_prefix.h"
#include "server/server_connection.h"

#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { MAX_PROC_BYTES = 1 << 20 };

/* A member of the first processor, as "\nmodel name\t: "; null: unknown, as on some that are not
 * x86. */
static json_t *
processor_member(const char *key)
{
	size_t n;
	char *text = file_read("/proc/cpuinfo", MAX_PROC_BYTES, &n);
	const char *line = text ? strstr(text, key) : NULL;
	const char *value = line ? line + strlen(key) : NULL;
	json_t *member = value ? json_stringn(value, strcspn(value, "\n")) : json_null();
	free(text);
	return member;
}

static json_t *
machine_json(void)
{
	struct sysinfo s;
	struct utsname u;
	bool sized = sysinfo(&s) == 0, named = uname(&u) == 0;
	json_t *machine = json_pack("{s:I, s:o, s:o, s:o, s:o, s:o}",
	    "cores", (json_int_t)sysconf(_SC_NPROCESSORS_ONLN),
	    "processor", processor_member("\nmodel name\t: "),
	    "microcode", processor_member("\nmicrocode\t: "),
	    "memory_bytes", sized ? json_integer((json_int_t)s.totalram * s.mem_unit) : json_null(),
	    "os", named ? json_sprintf("%s %s", u.sysname, u.release) : json_null(),
	    "host", named ? json_string(u.nodename) : json_null());
	return machine;
}

static json_t *
whole_number(double value)
{
	return isfinite(value) ? json_integer((json_int_t)value) : json_null();
}

/* The limits of the kernel's control group; null: it (NULL: none) is not on this machine. */
static json_t *
cgroup_json(const char *kernel_id)
{
	pid_t pid = kernel_id ? kernel_process_find(kernel_id) : 0;
	struct cgroup_limits l;
	if (!pid)
		return json_null();
	cgroup_limits_read(&l, pid);
	json_t *limits = json_pack("{s:o, s:o, s:o, s:o, s:o}", "path", json_value_text(l.path),
	    "memory_limit_bytes", whole_number(l.memory_bytes),
	    "cpu_limit", json_value_real(isfinite(l.cpus) ? l.cpus : (double)NAN),
	    "processes_limit", whole_number(l.tasks), "cpus", json_value_text(l.cpu_list));
	cgroup_limits_free(&l);
	return limits;
}

static json_t *
settings_json(void)
{
	const struct run_options *o = &run_options;
	json_t *settle_ms = o->page ? json_integer(o->settle_ms) : json_null();
	json_t *settings = json_pack(
	    "{s:o, s:o, s:o, s:f, s:b, s:b, s:b, s:o, s:n, s:O?, s:o, s:n}",
	    "wait", json_value_text(o->page ? o->wait : NULL),
	    "viz_selector", json_value_text(o->selector), "settle_ms", settle_ms,
	    "max_wait_s", o->max_wait_s, "screenshots", o->screenshots, "filmed", o->filmed,
	    "cold", o->cold, "cores", json_value_text(o->cores), "profile",
	    "extension", o->extension,
	    "kernel_prefix", json_value_text(kernel_prefix_command()), "remote_samples_ms");
	json_object_update(settings, o->hooks);
	return settings;
}

json_t *
run_record(const struct notebook *nb, const char *path, const struct lab *lab,
    const struct server_files *files)
{
	const struct run_options *o = &run_options;
	bool page = lab && o->page;
	json_t *metadata = json_object_get(json_object_get(nb->json, "metadata"), "nbscope");
	const char *usecase = json_string_value(json_object_get(metadata, "usecase"));
	const char *name = json_string_value(json_object_get(metadata, "name"));
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	const char *dot = strrchr(file, '.');
	char *stem = xasprintf("%.*s", (int)(dot ? (size_t)(dot - file) : strlen(file)), file);
	json_t *r = json_pack("{s:s, s:o, s:o, s:s, s:s, s:s, s:I, s:I, s:O?, s:I, s:o}",
	    "type", "run", "t", json_value_time(clock_unix_s()),
	    "usecase", json_value_text(usecase), "name", name ? name : stem,
	    "notebook", file, "label", o->label,
	    "repetition", (json_int_t)o->repetition, "attempt", (json_int_t)o->attempt,
	    "params", json_object_get(metadata, "params"), "code_cells", (json_int_t)nb->n,
	    "settings", settings_json());
	json_object_set(r, "made_from", o->made_from);
	const char *kernel = files && files->kernel ? files->kernel : nb->kernel;
	const struct { const char *name, *value; } texts[] = {
		{"nbscope_version", NBSCOPE_VERSION},
		{"browser", page ? getenv("WD_BROWSER") : NULL},
		{"browser_node", page ? str_nonempty(getenv("WD_BROWSER_NODE")) : NULL},
		{"window", page ? getenv("WD_WINDOW") : NULL},
		{"jupyterlab", lab ? lab->lab_version : NULL},
		{"jupyter_server", lab ? lab->version : NULL},
		{"kernel", kernel},
		{"language", nb->language},
	};
	for (size_t i = 0; i < COUNT(texts); i++)
		json_object_set_new(r, texts[i].name, json_value_text(texts[i].value));
	const char *cached = page ? str_nonempty(getenv("WD_CACHED_BYTES")) : NULL;
	if (cached)
		json_object_set_new(r, "cached_bytes",
		    json_integer((json_int_t)strtoll(cached, NULL, 10)));
	json_object_set_new(r, "machine", machine_json());
	json_object_set_new(r, "kernel_cgroup", cgroup_json(files ? files->kernel_id : NULL));
	json_object_set_new(r, "driver_ms", json_null());
	json_object_set_new(r, "placed_files",
	    files ? placed_file_record(&files->placed) : json_null());
	free(stem);
	return r;
}

json_t *
run_record_fault(const char *what, const char *message)
{
	return json_pack("{s:s, s:o, s:s, s:s}", "type", "fault",
	    "t", json_value_time(clock_unix_s()), "what", what, "message", message);
}

void
run_record_write_earlier(void)
{
	const char *before = run_options.before;
	if (run_options.attempt > 1)
		xrun_record_write(run_record_fault("tried_again",
		    before ? before : "earlier attempts were not kept"));
}

json_t *
run_record_end(enum cell_status status, const char *reason, size_t cells_run, double wall_ms,
    double open_ms, double loading_ms)
{
	return json_pack("{s:s, s:o, s:s, s:o, s:I, s:o, s:o, s:o}", "type", "run_end",
	    "t", json_value_time(clock_unix_s()), "status", cell_status_word(status),
	    "reason", json_value_text(reason), "cells_run", (json_int_t)cells_run,
	    "wall_ms", json_value_ms(wall_ms), "open_ms", json_value_ms(open_ms),
	    "loading_ms", json_value_ms(loading_ms));
}

void
xrun_record_write(json_t *record)
{
	xlines_write(record);
	json_decref(record);
	xoutput_flush();
}

void
xrun_close(struct server_files *f, enum cell_status status, const char *reason, size_t cells_run,
    uint64_t start_ns, double open_ms)
{
	double loading_ms = f->loading_ms > 0 ? f->loading_ms : (double)NAN;
	run_signals_stop();
	f->server_was_lost = status == CELL_SERVER_LOST;
	if (f->server_was_lost)
		server_connection_check();
	double wall_ms = (double)(clock_monotonic_ns() - start_ns) / 1e6;
	xrun_record_write(run_record_end(status, reason, cells_run, wall_ms, open_ms, loading_ms));
	run_signals_clean_up();
}
