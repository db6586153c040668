/* utf8.h: characters that must not reach a terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The bytes of the character at the start of NUL-terminated text; 0: it is not UTF-8. */
size_t utf8_length(const char *text);
/* The code point of a character of `n` bytes; 0 bytes: the first byte. */
unsigned long utf8_code(const char *text, size_t n);
/* Whether it controls a terminal (C0, DEL, C1), is deceptive, or (n = 0) is not UTF-8. */
bool utf8_is_unsafe(const char *text, size_t n);
/* Reorders the characters after it, or is invisible. */
bool utf8_is_deceptive(unsigned long code);
