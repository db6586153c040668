/* server_store.h: the folder on the server in which cellrun keeps large files between runs. */
#pragma once

#include "jupyter/lab.h"

/* Names it in LABSERVE_STORE.  cellrun creates it when it is needed. */
void xserver_store_name(void);
/* Starts the process that removes it from the user's server when this process has ended, however
 * that happens. */
void xserver_store_watch(struct lab *);
/* Removes it now. */
void server_store_end(void);
