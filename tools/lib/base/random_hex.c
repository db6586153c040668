/* random_hex.c: names and tokens that nobody can guess. */
#include "base/random_hex.h"
#include "base/die.h"

#include <sys/random.h>

void
xrandom_hex(char *hex, size_t digits)
{
	unsigned char bytes[64];
	if (digits > 2 * sizeof bytes || getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		die(ST_SYSTEM, "cannot get random bytes:");
	for (size_t i = 0; i < digits; i++)
		hex[i] = "0123456789abcdef"[(bytes[i / 2] >> (i % 2 * 4)) & 15];
	hex[digits] = '\0';
}
