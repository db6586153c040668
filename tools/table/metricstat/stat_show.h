/* stat_show.h: the columns of metricstat's tables. */
#ifndef STAT_SHOW_H
#define STAT_SHOW_H

#include "table/stat_figure.h"
#include "table_format.h"

/* flat: for programs, see table_format_is_flat(). */
void stat_show_groups(struct table_format *, const struct stat_table *, const struct list *stats,
    bool flat);
void stat_show_largest(struct table_format *, const struct stat_table *, const struct list *more,
    bool flat);
void stat_show_outliers(struct table_format *, const struct stat_table *, const struct list *more,
    bool flat);
void stat_show_check(struct table_format *, const struct stat_table *);
void xstat_show_known(const struct list *stats);

/* By what groups are sorted, in the order of the words; STAT_SORTS: not sorted. */
enum stat_sort {
	STAT_SORT_COUNT, STAT_SORT_MISSING, STAT_SORT_UNIQUE, STAT_SORT_SUM, STAT_SORT_MEAN,
	STAT_SORT_STD, STAT_SORT_MIN, STAT_SORT_MEDIAN, STAT_SORT_MAX, STAT_SORT_IQR, STAT_SORT_MAD,
	STAT_SORTS,
};
#define STAT_SORT_WORDS "count missing n_unique sum mean std min median max iqr mad"
/* The records of all chosen groups.  If sorted or with `most`: column by column, in descending
 * order, of each those with the ranks `from` to `most` (0: all). */
struct record_list stat_show_records(const struct stat_table *, enum stat_sort, size_t from,
    size_t most);

#endif
