/* terminal_output.h: stdout on a terminal, without characters that control it but those of styles.
 *
 * Names and values come from notebooks and servers.  What controls a terminal, reorders text
 * or is not UTF-8 is written as JSON writes it (\u001b), or as \x9b; so JSON remains the same
 * JSON.  Files and pipes get every byte as it is. */
#pragma once

#include <stddef.h>

enum { CURVE_STYLES = 8 };
enum style {	/* STYLE_CURVE + 0 ... CURVE_STYLES - 1: of curves */
	STYLE_NONE, STYLE_HEADING, STYLE_GOOD, STYLE_BAD, STYLE_DOUBT, STYLE_CURVE,
	STYLES = STYLE_CURVE + CURVE_STYLES,
};

/* Guards all further output to a terminal; opt_parse() calls it. */
void terminal_output_guard(void);
/* Begins a style of stdout's or stderr's further text; "" if that is no terminal, it is dumb, or
 * NO_COLOR is set. On stdout it is a character that the guard replaces, and that text_show() lets
 * no text have. */
const char *terminal_output_style(int fd, enum style);
/* Writes all of it to stdout, unbuffered, with the same guard.  0, or errno. */
int terminal_output_write(const char *text, size_t len);
