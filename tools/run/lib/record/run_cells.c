/* run_cells.c: all cells of a run, in order. */
#include "record/run_cells.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/output.h"
#include "json/json_value.h"
#include "notebook/run_options.h"
#include "record/cell_hook.h"
#include "record/cell_record.h"
#include "record/run_record.h"
#include "record/run_signals.h"

/* A cell that should have run apart from the kernel and could not: the notebook goes on without it,
 * but its run is none that completed. */
static void
note_not_run(const struct notebook_cell *c, json_t *record, enum cell_status *run_status,
    char **reason)
{
	const char *why = json_string_value(json_object_get(record, "reason"));
	json_object_set_new(record, "usage", json_null());
	if (*run_status != CELL_COMPLETED)
		return;
	*run_status = CELL_FAILED;
	*reason = xasprintf("cell %zu was not run: %s", c->index, why ? why : "unknown");
}

/* A kernel that was asked to end does so a moment later, in whichever cell it then runs. */
static void
name_shutdown(const struct notebook *nb, const struct notebook_cell *c, json_t *record,
    char **reason)
{
	static const char *const words[] = {"do_shutdown", "exit_now"};
	const char *why = json_string_value(json_object_get(record, "reason"));
	for (const struct notebook_cell *by = c; by >= nb->cells; by--)
		for (size_t i = 0; i < COUNT(words); i++) {
			if (!strstr(by->source, words[i]))
				continue;
			free(*reason);
			*reason = xasprintf("cell %zu ended the kernel (%s)", by->index, words[i]);
			json_object_set_new(record, "reason", json_sprintf("%s: %s", *reason,
			    why ? why : "unknown"));
			return;
		}
}

/* What Spark did, as labserve's server says; other servers do not. Each record is of the cell that
 * had begun last. */
static void
write_spark_records(const struct notebook *nb, const struct server_files *files,
    const double *begun)
{
	char *path = xasprintf("api/nbscope/kernels/%s/stages", files->kernel_id);
	json_t *records = lab_call(files->lab, "GET", path, NULL, NULL), *record;
	size_t i;
	json_array_foreach(records, i, record) {
		size_t k = nb->n;
		while (k > 0 && !(begun[k - 1] <= json_value_real_at(record, "t")))
			k--;
		if (k > 0)
			json_object_set_new(record, "cell_index",
			    json_integer((json_int_t)nb->cells[k - 1].index));
		xrun_record_write(json_incref(record));
	}
	json_decref(records);
	free(path);
}

/* What hooks do after each cell, once more for each further round. */
static void
repeat_gestures(const struct notebook *nb)
{
	for (size_t round = 2; round <= nb->rounds; round++) {
		for (size_t i = 0; i < nb->n; i++)
			xcell_hook_recorded(&nb->cells[i], cell_status_word(CELL_COMPLETED));
		xcell_hook_round(round);
	}
}

enum cell_status
run_cells(const struct notebook *nb, const struct server_files *files,
    json_t *(*run)(const struct notebook *, const struct notebook_cell *), size_t *cells_run,
    char **reason)
{
	enum cell_status run_status = CELL_COMPLETED;
	double *begun = xmalloc((nb->n + 1) * sizeof *begun);
	bool ended = false;
	for (size_t i = 0; i < nb->n; i++) {
		const struct notebook_cell *c = &nb->cells[i];
		begun[i] = ended ? (double)NAN : clock_unix_s();
		if (ended) {
			xrun_record_write(cell_record_unmeasured(c, CELL_NOT_RUN, *reason));
			continue;
		}
		xcell_hook_before(c);
		json_t *record = run(nb, c);
		run_signals_stop();
		const char *word = json_string_value(json_object_get(record, "status"));
		enum cell_status status = cell_status_of(word);
		if (status == CELL_NOT_RUN) {
			note_not_run(c, record, &run_status, reason);
		} else if (!cell_status_continues(status)) {
			run_status = status;
			ended = true;
			free(*reason);
			*reason = xasprintf("cell %zu %s", c->index, word);
			if (status == CELL_KERNEL_DIED)
				name_shutdown(nb, c, record, reason);
		} else if (run_status == CELL_COMPLETED) {
			run_status = status;
		}
		*cells_run += status != CELL_NOT_RUN;
		xcell_hook_ended(c, record);
		xrun_record_write(record);
		xcell_hook_recorded(c, cell_status_word(status));
		if (nb->rounds && !ended && (i + 1) % nb->once == 0)
			xcell_hook_round(i / nb->once + 1);
	}
	if (nb->gestures_alone && !ended)
		repeat_gestures(nb);
	if (run_status != CELL_SERVER_LOST)
		write_spark_records(nb, files, begun);
	free(begun);
	return run_status;
}

static void
write_unmeasured(const struct notebook *nb, enum cell_status status, const char *reason)
{
	for (size_t i = 0; i < nb->n; i++)
		xrun_record_write(cell_record_unmeasured(&nb->cells[i], status, reason));
}

enum cell_status
run_cells_not_opened(const struct notebook *nb, const char *error,
    enum cell_status (*broken_part)(void))
{
	warn("%s", error);
	xrun_record_write(run_record_fault("not_opened", error));
	write_unmeasured(nb, CELL_NOT_RUN, error);
	return broken_part();
}

void
run_cells_skip(const struct notebook *nb, const char *path)
{
	xrun_record_write(run_record(nb, path, NULL, NULL));
	write_unmeasured(nb, CELL_SKIPPED, run_options.skip);
	xrun_record_write(run_record_end(CELL_SKIPPED, run_options.skip, 0, NAN, NAN, NAN));
	xoutput_close();
}
