/* free_port.h: a free TCP port. */
#pragma once

/* A TCP port that is free on loopback right now: bind it soon, and be prepared that another
 * process was faster. */
int xfree_port(void);
