/* run_signals.h: a driver that ends early leaves nothing behind. */
#pragma once

#include <stdbool.h>

/* From now on clean_up() is called when the process exits or a signal ends it; it may be called
 * more than once.  stopped: by a signal. */
void run_signals_catch(void (*clean_up)(bool stopped));
/* Calls it now. */
void run_signals_clean_up(void);
/* Cleans up and ends the process if a signal has arrived. */
void run_signals_stop(void);
