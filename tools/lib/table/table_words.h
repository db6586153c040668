/* table_words.h: the different words of a column. */
#pragma once

#include "table/table.h"

/* The word's code, added if it is new; NO_WORD: it is not UTF-8. */
uint32_t table_word_code(struct column *, const char *p, size_t n);
size_t table_word_length(const char *word);	/* of one of a column's words */
