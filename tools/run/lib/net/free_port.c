/* free_port.c: a free TCP port. */
#include "net/free_port.h"
#include "base/die.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int
xfree_port(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr *address = (struct sockaddr *)&a;
	socklen_t n = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || bind(fd, address, n) != 0 || getsockname(fd, address, &n) != 0)
		die(ST_SYSTEM, "cannot get a free port:");
	close(fd);
	return ntohs(a.sin_port);
}
