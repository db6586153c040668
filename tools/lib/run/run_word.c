/* run_word.c: words in the records of a run that is read. */
#include "run/run_word.h"

enum cell_status
run_word_status(struct span text)
{
	char *word = span_string(text);
	enum cell_status status = word ? cell_status_of(word) : CELL_STATUSES;
	free(word);
	return status;
}

enum role
run_word_role(struct scan *record)
{
	struct span role = scan_get(record, "role");
	size_t i = 0;
	for (const char *word; (word = role_word((enum role)i)); i++)
		if (role.n == strlen(word) + 2 && memcmp(role.p + 1, word, role.n - 2) == 0)
			break;
	return (enum role)i;
}
