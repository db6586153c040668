/* nbscope.h: shared by all programs of nbscope.
 *
 * Ownership: arguments are borrowed and results belong to the caller, unless a
 * function's comment says otherwise.  A returned json_t is a new reference.
 * Failure: x... and die... end the process with a message; every other function
 * returns an error that the caller handles.
 * Units are part of names: _ms, _s, _ns, _bytes; `t` is Unix seconds.
 */
#pragma once

/* What nearly every file needs of the C library; NAN is what is not known. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* NBSCOPE_VERSION is a macro of the compiler: the file VERSION has it. */

/* Exit statuses, the same for every program: nbscope(7). */
enum exit_status {
	ST_OK = 0,
	ST_DIFFERS = 1,	/* it worked, and what it examined failed or differs */
	ST_USAGE = 2,
	ST_INPUT = 3,	/* the input breaks its contract */
	ST_SYSTEM = 4,	/* system or network */
	ST_TIMEOUT = 5,	/* the program's own time limit */
	ST_UNKNOWN = 6,	/* not enough data to decide */
};

#define PRINTF(f, a) __attribute__((format(printf, f, a)))
#define COUNT(a) (sizeof(a) / sizeof *(a))
