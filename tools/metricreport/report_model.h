/* report_model.h: a label's metrics, as cells and notebooks over their repetitions. */
#ifndef REPORT_MODEL_H
#define REPORT_MODEL_H

#include "base/buf.h"
#include "metric/summary.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One run of one cell. */
struct report_cell {
	size_t result;	/* of sum.v: which run of which notebook */
	long index;
	bool kernel_only;	/* client_s is the kernel's time */
	double t, client_s, peak_bytes, received_mb, script_s, bound_s;
	struct spent spent;
	enum cell_status status;
	double outputs, outputs_bytes, speed_index_s;
	char *id, *line, *heading;	/* heading: NULL: there is none above it */
	char *source;	/* or NULL */
	json_t *frames;	/* of a film that show how the output appeared, or NULL */
	char *diagnosis, *error_name, *error_value, *reason, *screenshot;	/* or NULL */
};
/* One cell of one notebook, over its repetitions. */
struct cell_row {
	size_t book;
	size_t shown;	/* of cells: the run with the median time, or one that failed */
	size_t n;	/* runs that have a time */
	double least_s, most_s;	/* NaN: none has */
	bool failed;
};
#define NO_FILM SIZE_MAX
/* One notebook, over its repetitions. */
struct book {
	const char *name;	/* borrowed from a result */
	size_t shown;	/* of sum.v: the run with the median time, or one that failed */
	size_t n, failed, skipped;	/* runs */
	double least_s, most_s;
	size_t first, rows;	/* of row */
	size_t cell_first, cell_n;	/* of cells: those of all its runs */
	const size_t *runs;	/* n of sum.v, by time */
	size_t film;	/* of sum.v; NO_FILM: there is none */
};
struct report {
	struct summary sum;
	struct report_cell *cells;
	struct cell_row *row;	/* by notebook and index */
	struct book *book;
	size_t n_cells, n_rows, n_books;
	/* Other records, unchanged: arrays. */
	json_t *notebooks, *truth, *comparison, *compared, *outliers, *scaling, *environment;
	json_t *reports, *stats, *check, *largest, *notes;
	json_t *excluded;	/* {reason: number of stale and damaged runs} */
	bool repeated;
	size_t most_runs;	/* of one notebook, without films */
	const struct profile_fold *profiles;	/* NULL: none */
	bool load_known;	/* how busy the machine was is known of some cell */
	bool by_heading;	/* headings divide the cells */
	bool apart;	/* queue and delivery are known of every cell that has a time */
	/* Files shown in it or next to it. */
	const char *title;	/* NULL: the use case and the label */
	/* Folders, or NULL. */
	const char *screenshots, *thumbnails, *samples, *pages, *profile_files;
	json_t *figures, *links;	/* paths */
	/* What is written. */
	enum { REPORT_MAIN, REPORT_PAGE, REPORT_INDEX, REPORT_TABLES } now;
	size_t book_now;	/* whose page is written */
	/* private */
	size_t cap;
};
/* A part of a page, written in place of a template's placeholder. */
typedef void report_part(struct buf *, const struct report *);

/* Builds rows and books from the cells and notebooks that were read. */
void report_finish(struct report *);
/* Rows by time, the slowest first; those without a time last.  The caller's. */
size_t *report_by_time(const struct report *);
const struct run_summary *report_row_result(const struct report *, const struct cell_row *);
/* The run of this cell that a row shows, or its film's; NULL: it has none. */
const struct report_cell *report_cell_of(const struct report *, const struct book *, size_t result,
    long index);
/* The shortest distinct name, without a repetition; the caller's. */
char *report_book_name(const struct report *, const struct book *);

#endif
