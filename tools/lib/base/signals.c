/* signals.c: signal handlers that respect what the parent process set up. */
#include "base/signals.h"
#include "base/nbscope.h"

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
