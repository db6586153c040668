/* lab_env.h: the Jupyter server and the credentials that the environment names. */
#pragma once

#include <stdbool.h>

struct lab_env {	/* NULL: not given */
	char *url, *token;
	const char *user, *password;
};
/* False and a line in error[512] if JUPYTERLAB_URL is missing or malformed. */
bool lab_env_read(struct lab_env *, char error[512]);
void lab_env_free(struct lab_env *);
