/* celllisten.h: cellrun --listen, from the notebook's tab to the run's end. */
#ifndef CELLLISTEN_H
#define CELLLISTEN_H

#include "cellsession.h"

/* Records what a person does in the notebook at `path`, a file or one on the
 * server (NULL: in the joined browser's), until its tab is closed or a signal
 * comes.  Writes all of the run's records and closes stdout. */
enum status listen_notebook(struct session *, const char *path);

#endif
