/* server_connection.h: the Jupyter server of a run. */
#ifndef SERVER_CONNECTION_H
#define SERVER_CONNECTION_H

#include "jupyter/lab.h"

/* The server that the environment or .env names; NULL: none is named.  Dies if it does not answer,
 * in a further attempt only after --ready-timeout. */
struct lab *xserver_connection_open(void);
/* Asks the labserve above, if there is one, to check that its server still answers. */
void server_connection_check(void);

#endif
