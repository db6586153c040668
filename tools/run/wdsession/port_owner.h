/* port_owner.h: which process of this machine listens on a port. */
#ifndef PORT_OWNER_H
#define PORT_OWNER_H

#include <sys/types.h>

pid_t port_owner_pid(long port);	/* 0: none, or another user's */

#endif
