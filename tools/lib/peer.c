/* peer.c: who is at the other end of a loopback connection.
 * The kernel's table of sockets has the other end as well, with its owner. */
#include "peer.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ENDPOINT_BYTES = 40 };

/* As the table writes it: words of the address as they stand in memory, then
 * the port.  An IPv4 address within IPv6 is in the table of IPv4. */
static bool
write_endpoint(char text[ENDPOINT_BYTES], const struct sockaddr_storage *a, bool *six)
{
	const struct sockaddr_in *in = (const void *)a;
	const struct sockaddr_in6 *in6 = (const void *)a;
	unsigned int word[4];
	*six = a->ss_family == AF_INET6 && !IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr);
	if (a->ss_family == AF_INET)
		memcpy(&word[3], &in->sin_addr, sizeof *word);
	else if (a->ss_family == AF_INET6)
		memcpy(word, &in6->sin6_addr, sizeof word);
	else
		return false;
	unsigned int port = ntohs(a->ss_family == AF_INET ? in->sin_port : in6->sin6_port);
	if (*six)
		snprintf(text, ENDPOINT_BYTES, "%08X%08X%08X%08X:%04X", word[0], word[1], word[2], word[3], port);
	else
		snprintf(text, ENDPOINT_BYTES, "%08X:%04X", word[3], port);
	return true;
}

/* Without an inode it was closed already, and belongs to nobody. */
static bool
is_owned(FILE *table, const char *theirs, const char *ours)
{
	char line[512], local[ENDPOINT_BYTES], remote[ENDPOINT_BYTES];
	unsigned int uid;
	unsigned long inode;
	while (fgets(line, sizeof line, table))
		if (sscanf(line, " %*d: %39s %39s %*x %*x:%*x %*x:%*x %*x %u %*d %lu", local, remote, &uid, &inode) == 4 &&
		    strcmp(local, theirs) == 0 && strcmp(remote, ours) == 0)
			return inode != 0 && (uid == geteuid() || uid == 0);
	return false;
}

bool
peer_is_ours(int fd)
{
	struct sockaddr_storage here = {0}, there = {0};
	socklen_t n = sizeof here, m = sizeof there;
	char ours[ENDPOINT_BYTES], theirs[ENDPOINT_BYTES];
	bool six;
	if (getsockname(fd, (struct sockaddr *)&here, &n) != 0 || getpeername(fd, (struct sockaddr *)&there, &m) != 0 ||
	    !write_endpoint(ours, &here, &six) || !write_endpoint(theirs, &there, &six))
		return false;
	FILE *table = fopen(six ? "/proc/self/net/tcp6" : "/proc/self/net/tcp", "re");
	bool good = table && is_owned(table, theirs, ours);
	if (table)
		fclose(table);
	return good;
}
