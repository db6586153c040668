/* summary.h: what a summary of many notebooks must remember of their metrics. */
#ifndef SUMMARY_H
#define SUMMARY_H

#include "json/scan.h"

struct spent {	/* seconds; NaN: not known */
	double wait, delivery;	/* to the kernel (dispatch and queue), and back */
	double wait_delivery;	/* their sum, which is known more often */
	double kernel, render;
};
double spent_all(const struct spent *);

struct slow {
	size_t result;	/* which of the results it is of */
	long index;
	double client_s;
	struct spent spent;
	char *line;
	char *diagnosis;	/* NULL: there is none */
};
struct slowest {
	struct slow *v;	/* the slowest first */
	size_t n, most;
};
struct result {
	char *name, *file, *label, *status;
	char *shown;	/* as short as tells it from the others */
	char *told;	/* for a line that stands alone: "n_images=3 side=500" */
	char *why;	/* NULL: nothing went wrong */
	char *error_name, *error_value, *reason;
	json_t *params;
	long repetition, total, executed, failed_cell;
	double client_s, received_mb;
	struct spent spent;
	struct slowest slow;
};
struct summary {
	struct result *v;
	size_t n, failed, skipped;
	long cells;	/* that ran */
	bool labels;	/* there are several */
	bool apart;	/* wait and delivery are known of every notebook */
	struct slowest slow;
	char *legend;	/* what the values in `shown` are of; NULL: it is a name */
	char *usecase;	/* the first one's, or NULL */
	json_t *marks, *versions;	/* {word: count of notebooks} */
	/* private */
	size_t cap, most_each, last;
	struct buf last_key;
	json_t *by_key;
};
void summary_start(struct summary *, size_t most, size_t most_each);
/* Both: which of the results the line is of. */
size_t summary_cell(struct summary *, struct scan *);
size_t summary_notebook(struct summary *, struct scan *);
void summary_finish(struct summary *);
bool is_failed(const struct result *);
bool is_skipped(const struct result *);
json_t *result_json(const struct result *);

#endif
