/* placeholder.h: placeholders {name_value} in code, and the values in their places. */
#pragma once

#include "base/buf.h"
#include "lexer.h"

#include <jansson.h>

struct placeholder {
	char *param;
	size_t start, end;	/* in the code */
	struct lexer_spot spot;
	bool wrap_negative, wrap_all;	/* a number needs parentheses there */
	bool backslash;		/* after a backslash that meant its brace */
	bool last;		/* before the string's closing quote */
	bool shell;		/* in a command for the shell */
	bool variable;		/* the code has a variable of this name, as f"{x_value}" may mean */
};
struct placeholders {
	struct placeholder *list;
	size_t n;
	json_t *names;	/* in the code, outside of placeholders */
};
void placeholders_find(struct placeholders *, enum language, const char *code);
bool placeholder_is_comment(const struct placeholder *);
/* Appends the text of a value.  NULL, or why it cannot be written there. */
const char *placeholder_add_value(struct buf *, enum language, const struct placeholder *,
    json_t *value);
