/* table_options.h: the options that choose which rows and columns of a table are read. */
#pragma once

#include "base/opt.h"
#include "table/column_unit.h"
#include "table/derive.h"
#include "base/list.h"
#include "table/table.h"

/* Rows of an option table. */
#define TABLE_OPTIONS \
	{'w', "where", OPT_CALL, NULL, 0, 0, "CONDITIONS", \
		"only rows that match all: 'task=isr run<=4'", xderive_where}, \
	{'d', "derive", OPT_CALL, NULL, 0, 0, "NAME=EXPR", \
		"a new column: 'wait=run_time-cpu_time'", xderive_expr}, \
	{'C', "cohort", OPT_CALL, NULL, 0, 0, "[NAME:]CONDITIONS", \
		"also group by whether rows match", xderive_cohort}, \
	{'u', "unit", OPT_CALL, NULL, 0, 0, "COLUMN=UNIT", \
		"unit of a column whose name has none", xcolumn_units}, \
	{'t', "type", OPT_STRING, &table_options.type, 0, 0, "TYPE", \
		"only records of this type"}, \
	{'p', "path", OPT_STRING, &table_options.path_pattern, 0, 0, "PATTERN", \
		"columns from folders: 'step_{step}/{task}_usage/'"}, \
	{0, "alias", OPT_CALL, NULL, 0, 0, "NAME=NAMES", \
		"other names of a column: 'run_time=wall_time,elapsed'", table_options_alias}, \
	{'x', "exclude", OPT_LIST, &table_options.excluded, 0, 0, "GLOB", \
		"ignore files with this name or path", .add = xlist_append}, \
	{'M', "missing", OPT_LIST, &table_options.missing, 0, 0, "[COLUMN=]VALUE", \
		"value that means unknown: -1", .add = xlist_append}

struct table_options {
	const char *type, *path_pattern;
	struct list excluded, missing;
	struct table_alias *aliases;	/* n_aliases, and one without a name */
	size_t n_aliases;
	struct table_want *want;
	size_t n_want;
};
extern struct table_options table_options;

void table_options_alias(const char *);

/* Reads '11-20' or '31-', ranks from 1 on; dies with ST_USAGE, naming the `option`. */
void xtable_options_ranks(const char *text, const char *option, long *from, long *to);

/* A column that must be read, unless it is derived.  Of several calls for one column, numbers
 * win over words, and words over what may be either. */
void table_options_need(const char *name, enum keep);
void table_options_need_cores(void);	/* if a file has a column of them: see table_cores() */
/* Reads what is needed, and the columns that derived ones are made from.  `type`: where the
 * option is not given; NULL: any.  Returns which rows the conditions select, see xderive(). */
bool *xtable_options_read(struct table *, char **paths, const char *type, enum keep others);
/* The columns of these names; the caller frees the array. */
struct column **xtable_options_columns(const struct table *, const struct list *names,
    bool numbers);
