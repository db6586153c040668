/* table_read.h: a table of one file, or of a tree of them.
 *
 *	static const struct table_want want[] = {{"task", KEEP_WORD},
 *	    {"run_time_s", KEEP_NUMBER}};
 *	struct table_spec spec = {.want = want, .n_want = COUNT(want)};
 *	struct table t;
 *	xtable_read(&t, argv + first, &spec);
 *	struct column *c = table_column(&t, "run_time_s");
 *	for (size_t i = 0; i < t.n_rows; i++)
 *		if (!isnan(c->number[i])) ...
 *
 * Faults of the input end the process: ST_INPUT, "file:line:column: reason".
 */
#pragma once

#include "table/table.h"

/* Reads all of `paths` (ends in NULL; files, folders, "-"; none: stdin) as one
 * table.  A wanted column that no file has ends the process with ST_INPUT.
 *
 * Members of a record's objects are columns "outer.inner", those of `params` are
 * "name_param" as in nbscope's CSV; lists of words are one word with commas. */
void xtable_read(struct table *, char **paths, const struct table_spec *);
/* Whether the path has the folders of the pattern; false: the pattern is wrong, or empty. */
bool table_path_matches(const char *pattern, const char *path);
