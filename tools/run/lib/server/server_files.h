/* server_files.h: what a run puts on the server, everything under names of its own. */
#pragma once

#include "jupyter/lab.h"
#include "server/placed_file.h"

#include <sys/types.h>

struct server_files {
	struct lab *lab;
	char *folder;		/* "nbscope-0123456789abcdef"; NULL: the notebook is the user's */
	json_t *folders;	/* paths of all folders created on the server */
	char *local_folder;	/* the folder's path on this machine; NULL: elsewhere or unknown */
	struct placed_files placed;	/* next to the notebook */
	char *path;		/* folder/NOTEBOOK.ipynb */
	char *workspace;	/* JupyterLab's, named like the folder */
	json_t *command_tags;	/* of its cells, for the kernel's command; NULL: none */
	char *session_id, *kernel_id, *kernel;
	bool session_requested;	/* a session may exist without a known id */
	bool session_is_users;	/* it existed before, and stays */
	bool kernel_died_early;	/* each time it was started */
	bool page_remains;	/* it may save its workspace once more */
	bool server_was_lost;	/* what it does after its restart is removed, too */
	double loading_ms;	/* JupyterLab's: from the navigation until everything was ready */
	int reaper_fd;		/* to the process that cleans up if this one is killed; 0: none */
	pid_t reaper;
};

char *server_files_new_name(void);	/* for a folder or a workspace; the caller's */
/* Creates a folder with the notebook in it. `kernel` (NULL: the notebook's, else the
 * server's default) is the kernelspec to start. 0, or -1: see lab->error. */
int server_files_open(struct server_files *, struct lab *, const char *name,
    const json_t *notebook, const char *kernel);
/* Puts each of these, a file or the content of a folder, next to the notebook, with its own name;
 * `cold`: then drops them from memory. 0, or -1. */
int server_files_put_all(struct server_files *, const char *const *paths, size_t n, bool cold);
/* Replaces the notebook. */
int server_files_put_notebook(struct server_files *, const json_t *notebook);
int server_files_start_kernel(struct server_files *, const char *kernel);
int server_files_interrupt(struct server_files *);
/* The notebook as the server has it now; NULL: see lab->error. */
json_t *server_files_get(struct server_files *);
/* The server's time of its last change, the caller's; NULL: see lab->error. */
char *server_files_modified(struct server_files *);
