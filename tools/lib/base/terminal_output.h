/* terminal_output.h: stdout on a terminal, without characters that control it.
 *
 * Names and values come from notebooks and servers.  What controls a terminal, reorders text
 * or is not UTF-8 is written as JSON writes it (\u001b), or as \x9b; so JSON remains the same
 * JSON.  Files and pipes get every byte as it is. */
#ifndef TERMINAL_OUTPUT_H
#define TERMINAL_OUTPUT_H

#include <stddef.h>
#include <sys/types.h>

/* Guards all further output to a terminal; opt_parse() calls it. */
void terminal_output_guard(void);
/* Lets escapes pass: the program colours its own text and makes all other text safe itself. */
void terminal_output_allow_escapes(void);
/* write(2) to stdout, with the same guard. */
ssize_t terminal_output_write(const char *text, size_t len);

#endif
