/* dotenv.h: a file .env with the address and secrets of a Jupyter server. */
#pragma once

/* Sets the JUPYTERLAB_* variables of `path` (KEY=value lines; "export", quotes and # are
 * understood) that the environment lacks.  A missing file is fine; dies if other users can
 * write it, and warns if they can read a secret in it. */
void xdotenv_load(const char *path);
