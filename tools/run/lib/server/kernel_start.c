/* kernel_start.c: why a kernel that is being started is not there. */
#include "server/kernel_start.h"
#include "base/clock.h"
#include "base/die.h"
#include "kernel/kernel_state.h"

enum { SILENT_MS = 10000 };

/* Why the server does not have our kernel any more. */
static char *
why_kernel_gone(struct server_files *f)
{
	json_t *end = kernel_state_end(f->lab, f->kernel_id, NULL);
	f->kernel_died_early = json_is_string(json_object_get(end, "signal")) ||
	    json_is_integer(json_object_get(end, "exit_status"));
	const char *said = json_string_value(json_object_get(end, "last_words"));
	char *words = kernel_state_explain_end(end, "gone"), *why;
	if (f->kernel_died_early)
		why = xasprintf("the kernel '%s' ended each time it was started: %s%s%s", f->kernel,
		    words, said ? "; its last output: " : "", said ? said : "");
	else
		why = xstrdup("the server does not have the notebook's kernel any more: the server "
		    "was restarted, or the kernel was ended or ended during its start");
	json_decref(end);
	free(words);
	return why;
}

/* Whether the server has ended, or was replaced by one without our kernel; NULL: it is not
 * known to be lost. */
char *
kernel_start_fault(struct server_files *f, uint64_t *silent_since_ns)
{
	char *state = f->kernel_id ? kernel_state_get(f->lab, f->kernel_id) : xstrdup("not ours");
	bool gone = state && strcmp(state, "gone") == 0;
	free(state);
	if (gone)
		return why_kernel_gone(f);
	if (state)
		*silent_since_ns = 0;
	else if (!*silent_since_ns)
		*silent_since_ns = clock_monotonic_ns();
	else if (clock_monotonic_ns() - *silent_since_ns > SILENT_MS * UINT64_C(1000000))
		return xasprintf("the server does not answer: %s", f->lab->error);
	return NULL;
}
