/* record_session.h: cellrun --listen: records what a person does in a notebook. */
#ifndef RECORD_SESSION_H
#define RECORD_SESSION_H

#include "base/nbscope.h"
#include "session.h"

/* Listens to the notebook at `path`, a file or a path on the server (NULL: the notebook in front
 * in the joined browser), until its tab is closed or a signal arrives.  Writes all records of the
 * run and closes stdout. */
enum exit_status record_session(struct session *, const char *path);

#endif
