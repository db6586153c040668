/* random_hex.h: names and tokens that nobody can guess. */
#pragma once

#include <stddef.h>

/* Writes at most 128 random hexadecimal digits from the kernel, and a NUL. */
void xrandom_hex(char *hex, size_t digits);
