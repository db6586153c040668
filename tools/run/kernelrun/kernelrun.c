/* kernelrun: what each cell of a notebook costs in its kernel, without a browser.
 * Puts NOTEBOOK on the server that JUPYTERLAB_URL names, runs each code cell over the WebSocket of
 * its kernel, and writes the records that cellrun writes; what only a page knows is null. */
#include "base/clock.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/random_hex.h"
#include "kernel/extension.h"
#include "kernel/kernel_access.h"
#include "kernel_cells.h"
#include "kernel_pending.h"
#include "notebook/run_options.h"
#include "record/apart_record.h"
#include "record/cell_fault.h"
#include "record/cell_hook.h"
#include "record/cell_record.h"
#include "record/kernel_watch.h"
#include "record/machine_noise.h"
#include "record/run_cells.h"
#include "record/run_record.h"
#include "record/run_signals.h"
#include "record/suspension.h"
#include "server/fetch.h"
#include "server/server_cleanup.h"
#include "server/server_connection.h"

/* ---- the executed notebook ---- */

enum { ID_DIGITS = 8 };

static void
set_kernelspec(json_t *metadata, struct server_files *f)
{
	json_t *all = lab_call(f->lab, "GET", "api/kernelspecs", NULL, NULL);
	json_t *entry = json_object_get(json_object_get(all, "kernelspecs"), f->kernel);
	json_t *spec = json_object_get(entry, "spec");
	json_t *name = json_object_get(spec, "display_name");
	json_t *language = json_object_get(spec, "language");
	if (name && language)
		json_object_set_new(metadata, "kernelspec", json_pack("{s:O, s:O, s:s}",
		    "display_name", name, "language", language, "name", f->kernel));
	json_decref(all);
}

static json_t *
new_cell(const json_t *notebook, const json_t *source)
{
	char id[ID_DIGITS + 1];
	json_t *cell = json_pack("{s:s, s:n, s:{}, s:[], s:O?}", "cell_type", "code",
	    "execution_count", "metadata", "outputs", "source", source);
	xrandom_hex(id, ID_DIGITS);
	if (json_integer_value(json_object_get(notebook, "nbformat_minor")) >= 5)
		json_object_set_new(cell, "id", json_string(id));
	return cell;
}

/* What %load or %recall puts into the cell or behind it. */
static void
set_next_input(json_t *notebook, size_t position, const struct kernel_cell_result *result)
{
	json_t *cells = json_object_get(notebook, "cells");
	json_t *text = json_object_get(result->next_input, "text");
	if (json_is_true(json_object_get(result->next_input, "replace")))
		json_object_set(json_array_get(cells, position), "source", text);
	else if (text)
		json_array_insert_new(cells, position + 1, new_cell(notebook, text));
}

/* From the last cell to the first, so that positions stay valid. */
static json_t *
executed_notebook(const struct kernel_cells *r)
{
	const struct notebook *nb = r->notebook;
	json_t *copy = json_deep_copy(nb->json);
	json_t *metadata = json_object_get(copy, "metadata");
	json_t *language = json_object_get(r->client.info, "language_info");
	if (!copy)
		die(ST_SYSTEM, "out of memory");
	if (!metadata)
		json_object_set_new(copy, "metadata", metadata = json_object());
	set_kernelspec(metadata, r->client.files);
	if (language)
		json_object_set(metadata, "language_info", language);
	for (size_t i = nb->n; i-- > 0; ) {
		const struct kernel_cell_result *result = &r->results[i];
		size_t position = nb->cells[i].position;
		json_t *cell = json_array_get(json_object_get(copy, "cells"), position);
		if (!result->execution_count)
			continue;
		json_object_set(cell, "execution_count", result->execution_count);
		json_object_set_new(cell, "outputs", cell_outputs_list(&result->outputs));
		if (result->execution)
			json_object_set(json_object_get(cell, "metadata"), "execution",
			    result->execution);
		if (result->next_input)
			set_next_input(copy, position, result);
	}
	return copy;
}

#define NO_BROWSER "no browser ran (kernelrun)"

enum { ASK_MS = 10000, REQUEST_MS = 1000, SAVE_MS = 20000 };

static struct lab *lab;
static struct server_files files;
static struct kernel_cells cells;
static struct cell_usage *usage;

static const struct opt opts[] = {RUN_OPTIONS, CELL_OPTIONS, {0}};
static const struct opt_usage help = {"kernelrun", "[options] NOTEBOOK",
	"Runs a notebook in its kernel, without a browser, and records what each cell cost.", opts};

/* ---- one cell ------------------------------------------------------------------------------ */

static json_t *
run_cell(const struct notebook *nb, const struct notebook_cell *c)
{
	struct suspension before = suspension_now();
	(void)nb;
	xrun_record_write(cell_record_start(c));
	cell_usage_before(usage);
	json_t *seen = kernel_cells_run(&cells, c, run_options.max_wait_s);
	json_t *used = cell_usage_after(usage);
	run_signals_stop();
	if (cell_record_outcome_is(seen, "kernel_busy"))
		cell_fault_at_limit(&files, seen, kernel_cells_wait_interrupted, &cells);
	cell_fault_kernel(&files, seen, used);
	apart_record_write(c, seen);
	json_t *record = cell_record(c, seen);
	json_object_set_new(record, "usage", used);
	if (suspension_since(before))
		cell_record_mark(record, "suspended");
	json_decref(seen);
	return record;
}

/* ---- silent requests ----------------------------------------------------------------------- */

static json_t *
evaluate(const char *expression, const char *mime, long limit_ms, char **why)
{
	struct kernel_client *k = &cells.client;
	bool python = kernel_client_is_python(k);
	const json_t *reply = python && !k->lost ?
	    kernel_client_evaluate(k, expression, limit_ms) : NULL;
	json_t *value = json_object_get(json_object_get(reply, "user_expressions"), "nbscope");
	json_t *data = json_object_get(value, "data"), *text = json_object_get(data, mime);
	if (data)
		return text ? json_incref(text) : json_string("");
	const char *name = json_string_value(json_object_get(value, "ename"));
	const char *what = json_string_value(json_object_get(value, "evalue"));
	*why = !python ? xstrdup("its kernel does not run Python") :
	    k->lost ? xstrdup("the kernel is gone") :
	    name ? xasprintf("%.100s: %.100s", name, what ? what : "") :
	    xstrdup("the kernel did not answer in time");
	return NULL;
}

static const struct kernel_access kernel_access = {.evaluate = evaluate};

static size_t
time_requests(double *ms, size_t max, long limit_ms)
{
	uint64_t start_ns = clock_monotonic_ns(), limit_ns = (uint64_t)limit_ms * 1000000u, ns;
	size_t n = 0;
	while (n < max && (ns = clock_monotonic_ns()) - start_ns < limit_ns &&
	    kernel_client_is_python(&cells.client) &&
	    kernel_client_evaluate(&cells.client, "", REQUEST_MS))
		ms[n++] = (double)(clock_monotonic_ns() - ns) / 1e6;
	return n;
}

/* ---- the run ------------------------------------------------------------------------------- */

static void
clean_up(bool stopped)
{
	(void)stopped;
	if (files.lab)
		server_cleanup_all(&files);
}

/* NULL, or the reason why that failed. */
static char *
open_kernel(const struct notebook *nb, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *kernel = run_options.kernel ? run_options.kernel : nb->kernel;
	uint64_t limit_ns = (uint64_t)run_options.ready_timeout_s * UINT64_C(1000000000);
	uint64_t end_ns = clock_monotonic_ns() + limit_ns;
	if (server_files_open(&files, lab, slash ? slash + 1 : path, nb->json, kernel) != 0 ||
	    server_files_put_all(&files, run_options.with_files, run_options.n_files,
	    run_options.cold) != 0 ||
	    server_files_start_kernel(&files, kernel) != 0)
		return xstrdup(lab->error);
	return kernel_cells_open(&cells, &files, nb, end_ns);
}

/* What does not answer if the kernel could not be used. */
static enum cell_status
find_broken_part(void)
{
	lab->limit_ms = ASK_MS;
	json_t *server = lab_call(lab, "GET", "api", NULL, NULL);
	lab->limit_ms = 0;
	bool answers = server != NULL;
	json_decref(server);
	return !answers ? CELL_SERVER_LOST : files.kernel_died_early ? CELL_KERNEL_DIED :
	    CELL_FAILED;
}

/* The server writes it as it writes those of JupyterLab. */
static void
save_executed(void)
{
	kernel_pending_wait(&cells.client);
	uint64_t end_ns = clock_monotonic_ns() + SAVE_MS * UINT64_C(1000000);
	json_t *nb = executed_notebook(&cells);
	if (server_files_put_notebook(&files, nb) != 0)
		warn("cannot save the executed notebook: %s", lab->error);
	else
		xfetch_executed(&files, run_options.executed, end_ns);
	json_decref(nb);
}

static enum cell_status
run_opened(const struct notebook *nb, size_t *cells_run, char **reason)
{
	usage = xkernel_watch_open(lab, &files, files.kernel_id, NO_BROWSER);
	if (run_options.noise)
		xrun_record_write(machine_noise(run_options.cores, time_requests));
	if (run_options.executed)
		kernel_pending_begin(&cells.client);
	enum cell_status status = run_cells(nb, &files, run_cell, cells_run, reason);
	if (run_options.executed && status != CELL_SERVER_LOST)
		save_executed();
	return status;
}

static enum exit_status
run_notebook(const struct notebook *nb, const char *path)
{
	uint64_t start_ns = clock_monotonic_ns();
	size_t cells_run = 0;
	lab = xserver_connection_open();
	if (!lab)
		die(ST_USAGE, "no server: JUPYTERLAB_URL is not set (run: labserve kernelrun "
		    "NOTEBOOK)");
	run_signals_catch(clean_up);
	suspension_catch();
	char *error = open_kernel(nb, path), *reason = error;
	run_signals_stop();
	if (!error)
		extension_load(&kernel_access, nb);
	double open_ms = (double)(clock_monotonic_ns() - start_ns) / 1e6;
	json_t *more = error ? NULL : xcell_hook_open(&kernel_access, path, files.kernel_id);
	json_t *run = run_record(nb, path, lab, &files);
	json_object_set_new(run, "kernel_machine", json_null());
	json_object_update(run, more);
	json_decref(more);
	xrun_record_write(run);
	run_record_write_earlier();
	enum cell_status status = error ? run_cells_not_opened(nb, error, find_broken_part) :
	    run_opened(nb, &cells_run, &reason);
	kernel_client_close(&cells.client);
	xrun_close(&files, status, reason, cells_run, start_ns, open_ms);
	lab_close(lab);
	xoutput_close();
	return error ? ST_SYSTEM : status == CELL_COMPLETED ? ST_OK : ST_DIFFERS;
}

int
main(int argc, char **argv)
{
	const char *path = xopt_operand(argc, argv, &help);
	run_options_check(&help);
	run_options.hooks = xcell_hook_settings();
	struct notebook nb = xnotebook_read(path);
	if (!run_options.skip)
		return (int)run_notebook(&nb, path);
	run_cells_skip(&nb, path);
	return ST_OK;
}
