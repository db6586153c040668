/* stat_show.h: the columns of metricstat's tables. */
#ifndef STAT_SHOW_H
#define STAT_SHOW_H

#include "table/stat_figure.h"
#include "table_format.h"

void stat_show_groups(struct table_format *, const struct stat_table *, const struct list *stats,
    enum format);
void stat_show_largest(struct table_format *, const struct stat_table *, const struct list *more,
    enum format);
void stat_show_outliers(struct table_format *, const struct stat_table *, const struct list *more,
    enum format);
void stat_show_check(struct table_format *, const struct stat_table *);
void xstat_show_known(const struct list *stats);
void xstat_show_sortable(const char *stat);	/* NULL is allowed */
/* The records of all chosen groups.  With `stat` (or NULL) or `most`: column by column, in
 * descending order, of each those with the ranks `from` to `most` (0: all). */
struct record_list stat_show_records(const struct stat_table *, const char *stat, size_t from,
    size_t most);

#endif
