/* free_port.h: a free TCP port. */
#ifndef FREE_PORT_H
#define FREE_PORT_H

/* A TCP port that is free on loopback right now: bind it soon, and be prepared that another
 * process was faster. */
int xfree_port(void);

#endif
