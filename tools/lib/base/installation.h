/* installation.h: what was built or installed together with this program.  All paths are the
 * caller's. */
#pragma once

/* NAME in the folder above this program's, or in share/nbscope there.  NULL if neither can be
 * run. */
char *installation_file(const char *name);
/* bin/python of a Python environment; NULL if it has none. */
char *installation_python_of(const char *environment);
/* Returns bin/python of the environment that the variable names or, if it is not set, of `name`,
 * which was made together with this program. */
char *installation_python(const char *variable, const char *name);
