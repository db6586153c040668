/* cell_fault.c: what broke a cell that did not end. */
#include "record/cell_fault.h"
#include "base/die.h"
#include "json/json_value.h"
#include "kernel/kernel_state.h"
#include "record/cell_record.h"
#include "run/role.h"

enum { ARRIVING_MS = 2000 };

static void
set_lost(json_t *seen, enum role what, const char *why)
{
	json_object_set_new(seen, "outcome", json_string("lost"));
	json_object_set_new(seen, "lost", json_pack("{s:s, s:s, s:O}",
	    "what", role_word(what), "state", why, "t", json_object_get(seen, "end")));
}

void
cell_fault_at_limit(struct server_files *f, json_t *seen, bool (*ended)(void *arg), void *arg)
{
	char *state = kernel_state_get(f->lab, f->kernel_id);
	bool idle = state && strcmp(state, "idle") == 0;
	if (!state) {
		char *why = xasprintf("the server does not answer: %s", f->lab->error);
		set_lost(seen, ROLE_SERVER, why);
		free(why);
	} else if (strcmp(state, "gone") == 0) {
		set_lost(seen, ROLE_KERNEL, state);
	} else if (idle && json_value_real_at(seen, "sinceHeard") < ARRIVING_MS) {
		json_object_set_new(seen, "late", json_true());
	} else if (idle) {
		set_lost(seen, ROLE_SERVER, "the server reports that the kernel is idle, but its "
		    "reply did not arrive: the connection is stalled");
	} else if (server_files_interrupt(f) == 0) {
		/* The cell's time is the limit, not the end of the interrupted cell. */
		json_object_set_new(seen, "interrupted", json_boolean(ended(arg)));
	}
	free(state);
}

void
cell_fault_kernel(struct server_files *f, json_t *seen, const json_t *used)
{
	bool silent = cell_record_outcome_is(seen, "no_reply");
	char *state = silent ? kernel_state_get(f->lab, f->kernel_id) : NULL;
	if (state && strcmp(state, "gone") == 0)
		set_lost(seen, ROLE_KERNEL, state);
	free(state);
	const json_t *lost = json_object_get(seen, "lost");
	const char *what = json_string_value(json_object_get(lost, "what"));
	const json_t *kernel = json_object_get(used, role_word(ROLE_KERNEL));
	if (cell_record_outcome_is(seen, "lost") && what && role_of(what) == ROLE_KERNEL)
		json_object_set_new(seen, "kernelEnd",
		    kernel_state_end(f->lab, f->kernel_id, kernel));
}
