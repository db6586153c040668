/* cell_status.c: how a cell, or a run, ended. */
#include "run/cell_status.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *word, *shown;
	enum cell_outcome outcome;
	bool continues;
} statuses[] = {
	[CELL_COMPLETED] = {"completed", "Completed", CELL_PASSED, true},
	[CELL_FAILED] = {"failed", "Failed", CELL_AT_FAULT, false},
	[CELL_TIMED_OUT] = {"timed_out", "Timed Out", CELL_AT_FAULT, false},
	[CELL_NOT_SETTLED] = {"not_settled", "Not Settled", CELL_AT_FAULT, true},
	[CELL_NO_VIEWER] = {"no_viewer", "No Viewer", CELL_AT_FAULT, true},
	[CELL_KERNEL_DIED] = {"kernel_died", "Kernel Died", CELL_BROKEN, false},
	[CELL_BROWSER_DIED] = {"browser_died", "Browser Died", CELL_BROKEN, false},
	[CELL_SERVER_LOST] = {"server_lost", "Server Lost", CELL_BROKEN, false},
	[CELL_SKIPPED] = {"skipped", "Skipped", CELL_LEFT_OUT, false},
	[CELL_NOT_RUN] = {"not_run", "Not Run", CELL_LEFT_OUT, false},
	[CELL_STATUSES] = {"unknown", "Unknown", CELL_BROKEN, false},
};

enum cell_status
cell_status_of(const char *word)
{
	size_t i = 0;
	for (; i < CELL_STATUSES; i++)
		if (strcmp(statuses[i].word, word) == 0 || strcmp(statuses[i].shown, word) == 0)
			break;
	return (enum cell_status)i;
}

const char *
cell_status_word(enum cell_status status)
{
	return statuses[status].word;
}

const char *
cell_status_shown(enum cell_status status)
{
	return statuses[status].shown;
}

enum cell_outcome
cell_status_outcome(enum cell_status status)
{
	return statuses[status].outcome;
}

bool
cell_status_is_bad(enum cell_status status)
{
	enum cell_outcome outcome = statuses[status].outcome;
	return outcome == CELL_AT_FAULT || outcome == CELL_BROKEN;
}

bool
cell_status_continues(enum cell_status status)
{
	return statuses[status].continues;
}
