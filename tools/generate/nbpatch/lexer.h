/* lexer.h: whether each byte of a cell's code is code, a comment or part of a string. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum language { LANG_PYTHON, LANG_R, LANG_JULIA, LANG_UNKNOWN };
/* By the name of a language or of a kernel. */
enum language lexer_language(const char *name);

struct lexer_spot {
	enum { IN_CODE, IN_COMMENT, IN_BLOCK_COMMENT, IN_STRING, IN_RAW_STRING } kind;
	char quote;	/* of a string */
	bool multiline;	/* it may contain newlines */
	bool triple;	/* of Python: its quote is three of them */
	bool format;	/* an f-string: braces are doubled */
	bool bytes;	/* ASCII only */
};
/* One spot for each byte, and one for what follows the last. */
struct lexer_spot *lexer_run(enum language, const char *text, size_t n);
/* The length of the name that begins at text[i] in code; 0 if none does. */
size_t lexer_name_length(enum language, const char *text, const struct lexer_spot *, size_t i,
    size_t n);
