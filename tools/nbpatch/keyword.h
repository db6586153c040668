/* keyword.h: names that no variable can have. */
#ifndef KEYWORD_H
#define KEYWORD_H

#include "lexer.h"

bool keyword_is(enum language, const char *name);

#endif
