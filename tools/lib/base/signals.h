/* signals.h: signal handlers that respect what the parent process set up. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Installs `handler` unless the signal is ignored: under nohup a program survives its
 * terminal. */
void signals_catch(int sig, void (*handler)(int));
static inline bool
signals_ignored(int sig)
{
	struct sigaction now;
	return sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}
/* "KILL" for SIGKILL; a number for those that end programs rarely. */
const char *signals_name(int sig);
/* Restores, in a forked child before exec, the dispositions from before signals_catch(). */
void signals_restore(void);
