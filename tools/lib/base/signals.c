/* signals.c: signal handlers that respect what the parent process set up. */
#include "base/signals.h"
#include "base/nbscope.h"

#include <stdio.h>

static struct {
	int sig;
	struct sigaction action;
} found[8];
static size_t n_found;

static void
remember_action(int sig)
{
	for (size_t i = 0; i < n_found; i++)
		if (found[i].sig == sig)
			return;
	if (n_found < COUNT(found) && sigaction(sig, NULL, &found[n_found].action) == 0)
		found[n_found++].sig = sig;
}

void
signals_catch(int sig, void (*handler)(int))
{
	remember_action(sig);
	if (!signals_ignored(sig))
		sigaction(sig, &(struct sigaction){.sa_handler = handler}, NULL);
}

void
signals_restore(void)
{
	for (size_t i = 0; i < n_found; i++)
		sigaction(found[i].sig, &found[i].action, NULL);
}

/* The first are the same on all machines; older C libraries cannot name them. */
const char *
signals_name(int sig)
{
	static const char names[][5] = {"", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS",
	    "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM"};
	static char number[16];
	snprintf(number, sizeof number, "%d", sig);
	return sig > 0 && (size_t)sig < COUNT(names) ? names[sig] : number;
}
