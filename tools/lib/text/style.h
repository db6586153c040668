/* style.h: colour and weight of text on a terminal. */
#pragma once

enum { CURVE_STYLES = 8 };
enum style {	/* STYLE_CURVE + 0 ... CURVE_STYLES - 1: of curves */
	STYLE_NONE, STYLE_HEADING, STYLE_GOOD, STYLE_BAD, STYLE_DOUBT, STYLE_CURVE,
	STYLES = STYLE_CURVE + CURVE_STYLES,
};

/* Begins a style of stdout's or stderr's further text; "" if that is no terminal, it is dumb, or
 * NO_COLOR is set. On stdout it is a character that the guard replaces, and that text_show() lets
 * no text have. */
const char *style_begin(int fd, enum style);
