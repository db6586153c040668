/* server_cleanup.h: removes what a run put on the server, also if the run is killed. */
#pragma once

#include "server/server_files.h"

/* For server_files.c. */

/* Starts the process that removes everything if this one is killed. */
void server_cleanup_start_reaper(struct server_files *);
/* Reports to it the session that the run now owns. */
void server_cleanup_note_session(const struct server_files *);
/* Notes a folder that is about to be created, to be removed with everything in it. */
void server_cleanup_note_folder(struct server_files *, const char *path);

/* Finds the folder on this machine, by the kernel's process (0: not known) or the server's. */
void server_cleanup_locate(struct server_files *, pid_t kernel);
/* Ends the kernel if the run owns it. */
void server_cleanup_end_kernel(struct server_files *);
/* Ends it, and removes the folder and the workspace. */
void server_cleanup_all(struct server_files *);
