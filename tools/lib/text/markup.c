/* markup.c: the characters that HTML, XML and Markdown reserve. */
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

void
markup_markdown(struct buf *b, const char *text, bool inert)
{
	for (const char *p = text; *p; p++) {
		bool marks = strchr("\\|*_`<[", *p), link = *p == '.' && p > text && p[-1] == 'w';
		if (*p == '\n' || *p == '\r')
			buf_add(b, " ", 1);
		else if (inert && (marks || link || strchr("&>@#]~:$!", *p)))
			buf_addf(b, "&#%d;", *p);
		else
			buf_addf(b, marks ? "\\%c" : "%c", *p);
	}
}
