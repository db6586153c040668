/* installation.h: what was built or installed together with this program.  All paths are the
 * caller's. */
#ifndef INSTALLATION_H
#define INSTALLATION_H

/* NAME in the folder above this program's, or in share/nbscope there.  NULL if neither can be
 * run. */
char *installation_file(const char *name);

#endif
