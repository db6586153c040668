/* markup.c: the characters that HTML and XML reserve. */
#include "text/markup.h"

bool
markup_escape(struct buf *b, char c)
{
	const char *escape = c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" :
	    c == '"' ? "&quot;" : c == '\'' ? "&#39;" : NULL;
	if (escape)
		buf_addf(b, "%s", escape);
	return escape;
}
