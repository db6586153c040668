/* plan_command.h: the programs that make a run, with their arguments, as data. */
#pragma once

#include "planned_run.h"

#include <jansson.h>

struct plan_command {
	bool insecure;	/* any TLS certificate of the server is accepted */
	bool noise;	/* the machine's noise is measured first */
	bool with_label;	/* progress is shown with the label */
	const char *target;	/* of make, for messages; NULL: profile */
};
/* [["wdsession", "--early", "cellrun", ...], ["procsample", ...], ...]: the programs of a pipe. */
json_t *plan_command(const struct planned_combination *, const struct planned_run *,
    const struct plan_command *);
/* Prints it as one line for a shell, with the holders of the server. */
void xplan_command_print(const json_t *command, bool insecure);
