/* role.h: whose resources a `watch` or a `sample` record is about. */
#pragma once

enum role {
	ROLE_KERNEL,
	ROLE_BROWSER,
	ROLE_SERVER,
	ROLE_PROCESS,	/* watched by hand */
	ROLE_MACHINE,
	ROLES,	/* how many; also "no role that is known" */
};
const char *role_word(enum role);	/* "kernel"; NULL for ROLES */
enum role role_of(const char *word);
