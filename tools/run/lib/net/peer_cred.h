/* peer_cred.h: which user is at the other end of a loopback connection. */
#pragma once

#include <stdbool.h>

/* Whether the other end of this TCP connection is a process of our own user or of root.
 * Loopback is open to all users of a machine, but our ports are not meant for them.
 * Needs nothing else of the library: a preloaded library uses it too. */
bool peer_cred_trusted(int fd);
