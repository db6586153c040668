/* keyword.c: names that no variable can have, in Python, R and Julia. */
#include "keyword.h"
#include "base/nbscope.h"

#include <string.h>

static const char *const keywords[] = {
	[LANG_PYTHON] = " False None True and as assert async await break class continue def del "
	    "elif else except finally for from global if import in is lambda nonlocal not or pass "
	    "raise return try while with yield ",
	[LANG_R] = " if else repeat while function for next break TRUE FALSE NULL Inf NaN NA "
	    "NA_integer_ NA_real_ NA_complex_ NA_character_ in ",
	[LANG_JULIA] = " baremodule begin break catch const continue do else elseif end export "
	    "false finally for function global if import let local macro module quote return "
	    "struct true try using while ",
};

bool
keyword_is(enum language l, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = keywords[l]; (p = strstr(p, name)); p++)
		if (p[-1] == ' ' && p[n] == ' ')
			return true;
	return false;
}
