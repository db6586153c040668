/* random_hex.h: names and tokens that nobody can guess. */
#ifndef RANDOM_HEX_H
#define RANDOM_HEX_H

#include <stddef.h>

/* Writes at most 128 random hexadecimal digits from the kernel, and a NUL. */
void xrandom_hex(char *hex, size_t digits);

#endif
