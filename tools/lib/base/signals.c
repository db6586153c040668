/* inherit.c: what a program finds as who started it left it: signals, standard files. */
#include "nbscope.h"

#include <fcntl.h>
#include <unistd.h>

static struct {
	int sig;
	struct sigaction action;
} found[8];
static size_t n_found;

bool
signal_ignored(int sig)
{
	struct sigaction now;
	return sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void
note(int sig)
{
	for (size_t i = 0; i < n_found; i++)
		if (found[i].sig == sig)
			return;
	if (n_found < COUNT(found) && sigaction(sig, NULL, &found[n_found].action) == 0)
		found[n_found++].sig = sig;
}

void
catch_signal(int sig, void (*handler)(int))
{
	note(sig);
	if (!signal_ignored(sig))
		sigaction(sig, &(struct sigaction){.sa_handler = handler}, NULL);
}

void
signals_as_found(void)
{
	for (size_t i = 0; i < n_found; i++)
		sigaction(found[i].sig, &found[i].action, NULL);
}

/* Opened the wrong way round: who uses it hears that it cannot be. */
void
fill_standard_files(void)
{
	static const int ways[] = {O_WRONLY, O_RDONLY, O_RDONLY};
	for (int fd = 0; fd < (int)COUNT(ways); fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", ways[fd]) != fd)
			die(ST_SYSTEM, "cannot open '/dev/null':");
}
