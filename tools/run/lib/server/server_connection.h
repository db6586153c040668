/* server_connection.h: the Jupyter server of a run. */
#pragma once

#include "jupyter/lab.h"

/* The server that the environment or .env names; NULL: none is named.  Dies if it does not answer,
 * in a further attempt only after --ready-timeout. */
struct lab *xserver_connection_open(void);
/* Asks the labserve above, if there is one, to check that its server still answers. */
void server_connection_check(void);
