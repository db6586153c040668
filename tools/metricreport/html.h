/* html.h: pieces of HTML.  Everything from outside becomes text. */
#ifndef HTML_H
#define HTML_H

#include "base/buf.h"

#include "metric/catalogue.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Text between tags, or between the quotes of an attribute.  NULL: nothing. */
void html_text(struct buf *, const char *);
/* At most `most` bytes of it, whole characters. */
void html_text_cut(struct buf *, const char *, size_t most);
/* One part of an address. */
void html_url(struct buf *, const char *);
/* JSON inside a <script>. */
void html_script_json(struct buf *, const json_t *);
/* "NAME/5" in characters that are valid in an id and in an address; the caller's. */
char *html_anchor(const char *name, long index);
/* The value in the unit that the column's name ends with: "1.61 GB", "1 h 52 min". */
void html_amount(struct buf *, double, const char *column);
void html_day(struct buf *, double t);
/* "12,345 rows" */
void html_count(struct buf *, size_t n, const char *what);
/* "step=1 task=isr" from an object's members. */
void html_members(struct buf *, const json_t *);
/* Instead of a part that has nothing to show; the text is HTML.  A section with nothing else
 * becomes one line. */
void html_empty(struct buf *, const char *html);
/* "12 more: WHERE." if there are more than `most`. */
void html_more(struct buf *, size_t n, size_t most, const char *where);

/* One of the numbers on the first screen, up to the lines below it: ends with "</div>". */
void html_number(struct buf *, const char *what, const char *value);

/* A table's begin, up to its first row.  Columns: "name", or "#name" for numbers; NULL ends. */
void html_table(struct buf *, const char *class, const char *caption, const char *const *columns);
void html_table_end(struct buf *);
/* "#client time, s", a column of numbers in that unit; NULL: each has its own.  The caller's. */
char *html_metric_column(enum metric_id, const char *unit);
void html_td_text(struct buf *, const char *text, const char *class);
/* <td class="n">1.23</td>; a dash for NaN. */
void html_td_number(struct buf *, double, int decimals);
/* A member's html_amount() as a cell that sorts by its value. */
void html_td_amount(struct buf *, const json_t *, const char *key, const char *column);

/* A file as a data: address.  False: it cannot be read, and nothing is added. */
bool html_data(struct buf *, const char *path, const char *type, size_t limit);
/* A string member; "" if there is none. */
const char *html_member(const json_t *, const char *key);
/* The column of metricstat's record with its unit, "run_time_s"; the caller's. */
char *html_column(const json_t *);
/* Whether a name from a record is a file's name, without any folder. */
bool html_is_file_name(const char *);

#endif
