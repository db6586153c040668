/* run_signals.c: a driver that ends early leaves nothing behind. */
#include "record/run_signals.h"
#include "base/signals.h"
#include "net/http.h"

#include <stdlib.h>
#include <unistd.h>

static void (*on_end)(bool stopped);

static void
on_signal(int sig)
{
	if (!http_stop)
		http_stop = sig;
}

void
run_signals_clean_up(void)
{
	bool stopped = http_stop != 0;
	http_watch_stdout = false;
	http_stop = 0;
	if (!http_in_call)	/* otherwise the reaper cleans up */
		on_end(stopped);
}

void
run_signals_catch(void (*clean_up)(bool stopped))
{
	on_end = clean_up;
	signals_catch(SIGINT, on_signal);
	signals_catch(SIGTERM, on_signal);
	signals_catch(SIGHUP, on_signal);
	signal(SIGPIPE, SIG_IGN);
	http_watch_stdout = true;
	atexit(run_signals_clean_up);
}

void
run_signals_stop(void)
{
	if (!http_stop)
		return;
	int sig = http_stop;
	run_signals_clean_up();
	_exit(128 + sig);
}
