/* style.c: colour and weight of text on a terminal. */
#include "text/style.h"
#include "base/nbscope.h"
#include "base/terminal_output.h"

#include <unistd.h>

enum { FIRST_MARK = 0xfdd0 };

/* On stdout they are noncharacters of Unicode, which exist for a program's own use. */
static const struct { const char *mark, *escape; } styles[STYLES] = {
	[STYLE_NONE] = {"\ufdd0", "\033[0m"}, [STYLE_HEADING] = {"\ufdd1", "\033[1m"},
	[STYLE_GOOD] = {"\ufdd2", "\033[1;32m"}, [STYLE_BAD] = {"\ufdd3", "\033[1;31m"},
	[STYLE_DOUBT] = {"\ufdd4", "\033[33m"},
	[STYLE_CURVE] = {"\ufdd5", "\033[36m"}, {"\ufdd6", "\033[33m"}, {"\ufdd7", "\033[32m"},
	{"\ufdd8", "\033[36m"}, {"\ufdd9", "\033[37m"}, {"\ufdda", "\033[35m"},
	{"\ufddb", "\033[31m"}, {"\ufddc", "\033[34m"},
};

/* NULL: no style has this mark. */
static const char *
escape_of(unsigned long code)
{
	unsigned long style = code - FIRST_MARK;
	return style < STYLES ? styles[style].escape : NULL;
}

static bool
has_styles(int fd)
{
	const char *term = getenv("TERM"), *refused = getenv("NO_COLOR");
	return isatty(fd) && !(refused && *refused) && term && *term && strcmp(term, "dumb") != 0;
}

const char *
style_begin(int fd, enum style style)
{
	if (!has_styles(fd))
		return "";
	if (fd != STDOUT_FILENO)
		return styles[style].escape;
	terminal_output_escape = escape_of;
	return styles[style].mark;
}
