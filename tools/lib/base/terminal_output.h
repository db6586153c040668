/* terminal_output.h: stdout on a terminal, without characters that control it.
 *
 * Names and values come from notebooks and servers.  What controls a terminal, reorders text
 * or is not UTF-8 is written as JSON writes it (\u001b), or as \x9b; so JSON remains the same
 * JSON.  Files and pipes get every byte as it is. */
#pragma once

#include <stddef.h>

/* Guards all further output to a terminal; opt_parse() calls it. */
void terminal_output_guard(void);
/* What is written on stdout instead of a character; NULL: itself, or as JSON writes it. */
extern const char *(*terminal_output_escape)(unsigned long code);
/* Writes all of it to stdout, unbuffered, with the same guard.  0, or errno. */
int terminal_output_write(const char *text, size_t len);
