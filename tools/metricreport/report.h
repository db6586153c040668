/* report.h: what a report tells, and how it is told in HTML. */
#ifndef REPORT_H
#define REPORT_H

#include "metric/summary.h"

/* One run of one cell. */
struct told {
	size_t result;	/* of summary.v: which run of which notebook */
	long index;
	double t, client_s, peak_bytes, received_mb, script_s, bound_s;
	struct spent spent;
	char *id, *line, *status;
	char *diagnosis, *error_name, *error_value, *reason, *screenshot;	/* NULL: there is none */
};
/* One cell of one notebook, over its repetitions. */
struct cell_row {
	size_t book;
	size_t shown;	/* of told: the run with the median time, or one that failed */
	size_t n;	/* runs that have a time */
	double least_s, most_s;	/* NaN: none has */
	bool failed;
};
/* One notebook, over its repetitions. */
struct book {
	const char *name;	/* borrowed of a result */
	size_t shown;	/* of the results: the one with the median time, or one that failed */
	size_t n, failed, skipped;	/* runs */
	double least_s, most_s;
	size_t first, rows;	/* of the cell rows */
	size_t told_first, told_n;	/* of told: all its runs' cells */
	const size_t *runs;	/* n results, by time */
};
struct report {
	struct summary sum;
	struct told *told;
	struct cell_row *row;	/* by notebook and index */
	struct book *book;
	size_t n_told, n_rows, n_books;
	/* Other records as they came; arrays. */
	json_t *notebooks, *truth, *comparison, *compared, *outliers, *scaling, *environment, *reports, *stats, *check, *largest;
	bool repeated;
	bool apart;	/* waiting and delivery are known of every cell that took time */
	/* What stands beside it, or is drawn into it. */
	const char *title;	/* NULL: the use case and the label */
	const char *screenshots, *samples, *pages;	/* folders; NULL: none */
	json_t *figures, *links;	/* paths */
	enum { THE_REPORT, A_PAGE, THE_INDEX, THE_TABLES } now;	/* what is made */
	size_t book_now;	/* the page's */
	/* private */
	size_t cap;
};
enum { DAY_FORMAT_BYTES = 32 };

void report_start(struct report *);
void report_take(struct report *, struct scan *);
void report_finish(struct report *);
/* Rows by time, the slowest first; those without a time at the end. The caller's. */
size_t *report_by_time(const struct report *);
const struct result *result_of_row(const struct report *, const struct cell_row *);
/* As short as tells it from the others, without its repetition; the caller's. */
char *book_shown(const struct report *, const struct book *);

/* ---- reporthtml.c: everything from outside is text ------------------------------- */

/* As it stands between tags, and between the quotes of an attribute. */
void put_text(struct buf *, const char *);
/* One part of an address. */
void put_url(struct buf *, const char *);
/* At most so many bytes of it, whole characters. */
void put_cut(struct buf *, const char *, size_t most);
/* JSON that may stand in a <script>. */
void put_script_json(struct buf *, const json_t *);
/* "NAME.5" in letters that an id and an address can hold; the caller's. */
char *anchor_of(const char *name, long index);
/* In the unit that a column's name ends with: "1.61 GB", "1 h 52 min". */
void put_amount(struct buf *, double, const char *column);
/* The same of a member, as a table's cell that is sorted by its value. */
void put_amount_of(struct buf *, const json_t *, const char *key, const char *column);
/* <td class="n">1.23</td>; a dash where there is none. */
void put_number(struct buf *, double, int decimals);
/* "12,345 rows" */
void put_count(struct buf *, size_t n, const char *what);
/* The column of metricstat's record with its unit behind it, "run_time_s"; the caller's. */
char *column_told(const json_t *);
/* "step=1 task=isr" of an object's members. */
void put_members(struct buf *, const json_t *);
/* "12 more: WHERE." if there are more than so many. */
void put_more(struct buf *, size_t n, size_t most, const char *where);
void put_cell_text(struct buf *, const char *text, const char *class);
/* Head of a table: columns "name" or "#name" (numbers), ended by NULL. */
void put_table(struct buf *, const char *class, const char *caption, const char *const *columns);
void end_table(struct buf *);
/* A file as data:, or nothing and false. */
bool put_data(struct buf *, const char *path, const char *type, size_t limit);
/* A name that records gave, and that is a file's and no path's. */
bool is_file_name(const char *);
void put_day(struct buf *, double t);
const char *text_at(const json_t *, const char *key);	/* "" if there is none */

/* ---- pieces, each a place of a template -------------------------------------------- */

typedef void report_put(struct buf *, const struct report *);
report_put put_title, put_overview, put_verdict, put_advice;	/* reportabout.c */
report_put put_environment, put_method, put_method_text, put_links, put_made;
report_put put_spent, put_slowest, put_waterfalls;	/* reporttime.c */
report_put put_cells, put_data_json, put_notebooks, put_page_cells, put_failures;	/* reportcells.c */
report_put put_outliers, put_scaling, put_comparison;	/* reportodd.c */
report_put put_groups, put_table_overview, put_check, put_largest;	/* reporttable.c */
report_put put_calibration, put_figures, put_reports;	/* reportbeside.c */
enum { PHASES = 4 };	/* wait, kernel, delivery, drawing */
/* The bar of a cell's phases, to a common scale. */
void put_bar(struct buf *, const struct report *, const struct spent *, double client_s, double from_s, double scale_s);
/* Their sum.  Where they cannot be told apart for every notebook, waiting has delivery in it. */
double phases_of(const struct report *, const struct spent *, double part[PHASES]);
/* A link to the notebook's page, if there are pages, at a cell (0: none); text NULL: book_shown(). */
void put_book_link(struct buf *, const struct report *, const struct book *, long index, const char *text);

/* ---- reportplace.c ------------------------------------------------------------------ */

extern const char report_html[], notebook_html[], index_html[], tables_html[], head_html[], report_css[], report_js[];
/* `template` with its places <!--nbscope:NAME--> filled; dies with ST_INPUT on an
 * unknown one. `file` names it in messages. */
void xfill_template(struct buf *, const char *template, const char *file, const struct report *);

#endif
