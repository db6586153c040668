/* run_close.c: the end of a run. */
#include "record/run_close.h"
#include "base/clock.h"
#include "record/run_record.h"
#include "record/run_signals.h"
#include "server/server_connection.h"

#include <math.h>

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
