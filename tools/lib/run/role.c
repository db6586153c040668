/* role.c: whose resources a `watch` or a `sample` record is about. */
#include "run/role.h"

#include <stddef.h>
#include <string.h>

static const char *const words[ROLES + 1] = {
	[ROLE_KERNEL] = "kernel",
	[ROLE_BROWSER] = "browser",
	[ROLE_SERVER] = "server",
	[ROLE_PROCESS] = "process",
	[ROLE_MACHINE] = "machine",
};

const char *
role_word(enum role role)
{
	return words[role];
}

enum role
role_of(const char *word)
{
	size_t i = 0;
	while (i < ROLES && strcmp(words[i], word))
		i++;
	return (enum role)i;
}
