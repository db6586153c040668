/* hold_command.h: a holder's COMMAND: run, waited for, and ended with its orphans. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Runs COMMAND with the holder's stdin and stdout and waits for it. SIGINT, SIGTERM and
 * SIGHUP are passed on to it, and 5 s later it is killed. If it was stopped so, or killed by
 * another signal, everything that it started is ended too.
 * Returns its exit status (128 + signal if a signal killed it).
 *
 * on_event (or NULL) is called with SIGCHLD when any child changes state and with SIGUSR1
 * when that arrives, and stops COMMAND by returning true; and with SIGTERM once the orphans
 * of a stopped COMMAND have been signalled: nothing held is needed any more. */
int hold_command(char *const argv[], bool (*on_event)(int sig));
/* Whether a signal that stops COMMAND is pending; on_event functions that wait ask this. */
bool hold_stop_requested(void);
/* Exempts one of the holder's own children from the search for orphans. */
void hold_exempt(pid_t);
