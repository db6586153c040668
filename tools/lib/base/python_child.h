/* python_child.h: a program in Python that is embedded in this one and runs as its child. */
#pragma once

#include "base/child.h"

/* Starts the script by the Python of the environment that `variable` names, else of the environment
 * `venv` that was made with this program, else by python3. */
void xpython_child_start(struct child *, const char *variable, const char *venv,
    const char *script);
