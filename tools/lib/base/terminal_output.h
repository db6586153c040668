/* terminal_output.h: stdout on a terminal, without characters that control it but those of styles.
 *
 * Names and values come from notebooks and servers.  What controls a terminal, reorders text
 * or is not UTF-8 is written as JSON writes it (\u001b), or as \x9b; so JSON remains the same
 * JSON.  Files and pipes get every byte as it is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum style { STYLE_NONE, STYLE_HEADING, STYLE_GOOD, STYLE_BAD, STYLE_DOUBT, STYLES };

/* Guards all further output to a terminal; opt_parse() calls it. */
void terminal_output_guard(void);
/* Lets escapes pass: the program colours its own text and makes all other text safe itself. */
void terminal_output_allow_escapes(void);
/* Whether it is a terminal that has styles, and whose user did not refuse them (NO_COLOR). */
bool terminal_output_has_styles(int fd);
/* Begins a style of stdout's or stderr's further text; "" without styles. On stdout it is a
 * character that the guard replaces: one that text_show() lets no text have. */
const char *terminal_output_style(int fd, enum style);
/* Writes all of it to stdout, unbuffered, with the same guard.  0, or errno. */
int terminal_output_write(const char *text, size_t len);
