/* peer.h: who is at the other end of a loopback connection. */
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>

/* Whether the other end of this TCP connection is a process of our own user or
 * of root.  Loopback is open to all users of a machine; a port of ours is not
 * meant for them.  Needs nothing else of the library: a preload has it too. */
bool peer_is_ours(int fd);

#endif
