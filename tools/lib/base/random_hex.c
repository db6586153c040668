/* random_hex.c: names and tokens that nobody can guess. */
#include "base/random_hex.h"
#include "base/die.h"

#include <fcntl.h>
#include <unistd.h>

void
xrandom_hex(char *hex, size_t digits)
{
	unsigned char bytes[64];
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	if (digits > 2 * sizeof bytes || fd < 0 ||
	    read(fd, bytes, sizeof bytes) != (ssize_t)sizeof bytes)
		die(ST_SYSTEM, "cannot get random bytes:");
	close(fd);
	for (size_t i = 0; i < digits; i++)
		hex[i] = "0123456789abcdef"[(bytes[i / 2] >> (i % 2 * 4)) & 15];
	hex[digits] = '\0';
}
