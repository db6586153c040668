/* local_folder.h: a run's folder on the server, if it is on this machine. */
#pragma once

#include <sys/types.h>

/* The path of the folder `name`, the caller's; NULL: it is elsewhere or not found. */

/* Finds it where the kernel works. */
char *local_folder_of_kernel(const char *name, pid_t kernel);
/* Finds it where a process of this user works or in a folder that it was given, as a server's root
 * folder is.  The name must be a random one: only the server has such a folder then. */
char *local_folder_of_server(const char *name);
