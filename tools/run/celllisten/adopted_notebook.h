/* adopted_notebook.h: a notebook that is on the server already, and stays its user's. */
#ifndef ADOPTED_NOTEBOOK_H
#define ADOPTED_NOTEBOOK_H

#include "server/server_files.h"

/* A notebook that is on the server already: only what is added to it is removed again.
 * 0, or -1: see lab->error. */
int adopted_notebook_open(struct server_files *, struct lab *, const char *path);
/* Its kernel, once it is open: ended by server_cleanup_all() unless it ran before. */
void adopted_notebook_find_kernel(struct server_files *);

#endif
