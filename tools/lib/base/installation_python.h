/* installation_python.h: the Python environments that belong to this installation.  All paths are
 * the caller's. */
#ifndef INSTALLATION_PYTHON_H
#define INSTALLATION_PYTHON_H

/* bin/python of a Python environment; NULL if it has none. */
char *installation_python_of(const char *environment);
/* Returns bin/python of the environment that the variable names or, if it is not set, of `name`,
 * which was made together with this program. */
char *installation_python(const char *variable, const char *name);

#endif
