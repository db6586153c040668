/* run_ends.h: a run's first and last record, read without what lies between. */
#pragma once

#include "run/run_reader.h"

struct run_ends {
	bool begun, ended;	/* there is a `run`, a `run_end` record */
	struct run_reader run;	/* what they say; NaN and unknown where there is none */
	json_t *made_from, *params;	/* of the `run` record; NULL: it has none */
};
void run_ends_read(struct run_ends *, int fd, long long file_bytes);
void run_ends_free(struct run_ends *);
