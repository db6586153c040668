/* pyenv.h: the Python environment that a JupyterLab of ours runs in. */
#ifndef PYENV_H
#define PYENV_H

#include "nbscope.h"

struct pyenv {
	char *dir;	/* the one that is profiled */
	char *lab_python;	/* the interpreter that runs JupyterLab */
	bool own;	/* JupyterLab is nbscope's own, not the user's */
	bool borrowed;	/* ... and the profiled environment is the user's */
	json_t *data;	/* share/jupyter folders of the profiled one */
};
/* venv: a path, or NULL for nbscope's own.  dir: a held folder for scratch.
 * Dies with ST_SYSTEM and what to install where it cannot serve, or when the
 * environment has not answered at end_ns (of now_ns). */
void xfind_pyenv(struct pyenv *, const char *venv, const char *dir, uint64_t end_ns);

/* share/lab/..., inside the program. */
extern const char lab_serve_py[], lab_kernels_py[], lab_server_json[], lab_overrides_json[];
/* Writes one of them into the folder; returns its path. */
char *xput_file(const char *dir, const char *name, const char *text);

#endif
