/* pyenv.h: the Python environment that nbscope's own JupyterLab runs in. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct pyenv {
	char *dir;	/* the environment to profile */
	char *lab_python;	/* the interpreter that runs JupyterLab */
	bool own;	/* JupyterLab is nbscope's own, not the user's */
	bool borrowed;	/* ... and the environment to profile is the user's */
	json_t *data;	/* share/jupyter folders of the environment to profile */
};
/* `venv` is a path, or NULL for nbscope's own; `dir` a held folder for scratch files.
 * Dies with ST_SYSTEM and what to install if the environment is not usable or has not
 * answered by end_ns. */
void xpyenv_find(struct pyenv *, const char *venv, const char *dir, uint64_t end_ns);
/* Writes the files of share/lab, which are inside the program; returns the path of
 * serve.py. */
char *xpyenv_put_files(const char *dir);
