/* installation.h: what was built or installed together with this program.  All paths are the
 * caller's. */
#pragma once

/* NAME in the folder above this program's, in the checkout, or in share/nbscope.  NULL: in none. */
char *installation_file(const char *name);
/* What a user types to make a target of the rules that belong to this program. */
const char *installation_command(void);
/* bin/python of a Python environment; NULL if it has none. */
char *installation_python_of(const char *environment);
/* Returns bin/python of the environment that the variable names or, if it is not set, of `name`,
 * which was made together with this program or later by the command nbscope; of "venv" also that
 * of the environment that nbscope is installed in. */
char *installation_python(const char *variable, const char *name);
