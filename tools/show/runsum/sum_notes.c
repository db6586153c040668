/* sum_notes.c: what a summary says besides its tables: doubt, failures, marks, runs left out. */
#include "sum_notes.h"
#include "base/output.h"
#include "run/run_state.h"
#include "text/text.h"

enum { MAX_FAILURES = 20, FAILURE_INDENT = 6 };

const char *
sum_status(const struct run_summary *n)
{
	return n->interrupted ? "Interrupted" : n->status;
}

enum style
sum_style(const struct run_summary *n)
{
	return !summary_failed(n) ? STYLE_NONE : n->interrupted ? STYLE_DOUBT : STYLE_BAD;
}

/* What casts doubt on all cells, or explains many: once, instead of below each cell. */
void
sum_put_contention(const struct summary *sum, size_t columns)
{
	bool any = false;
	for (int cause = WAIT_OTHERS; cause < WAIT_CAUSES; cause++) {
		char *text = contention_text(&sum->contention, (enum wait_cause)cause);
		if (text)
			text_put_wrapped(STYLE_DOUBT, text, 0, columns);
		any = any || text;
		free(text);
	}
	if (any)
		xoutput_line("", 0);
}

/* "Failed in cell 3: ValueError: wrong" */
static void
put_failure(const struct run_summary *n, size_t columns)
{
	struct buf t = {0};
	buf_addf(&t, "%s", sum_status(n));
	if (n->failed_cell)
		buf_addf(&t, " in cell %ld of %ld", n->failed_cell, n->total);
	if (n->why && !n->interrupted)
		buf_addf(&t, ": %s", n->why);
	text_put_wrapped(sum_style(n), t.p, FAILURE_INDENT, columns);
	buf_free(&t);
}

/* The notebooks that failed, or those that were skipped. */
void
sum_put_unfinished(const struct summary *sum, const char *title, bool skipped, size_t columns)
{
	struct buf b = {0};
	size_t shown = 0, all = skipped ? sum->skipped : sum->failed;
	if (!all)
		return;
	xoutput_line("", 0);
	text_put_wrapped(STYLE_HEADING, title, 0, columns);
	for (size_t i = 0; i < sum->n && shown < MAX_FAILURES; i++) {
		const struct run_summary *n = &sum->v[i];
		if (skipped ? !summary_skipped(n) : !summary_failed(n))
			continue;
		shown++;
		buf_addf(&b, "  ");
		text_show(&b, n->full_name, columns - 2);
		text_put_trimmed(&b);
		put_failure(n, columns);
	}
	if (shown < all) {
		buf_addf(&b, "  and %zu more", all - shown);
		text_put_trimmed(&b);
	}
	buf_free(&b);
}

void
sum_put_left_out(const json_t *left_out, size_t columns)
{
	char *line = run_state_left_out_line(left_out);
	if (line)
		text_put_wrapped(STYLE_NONE, line, 0, columns);
	free(line);
}

void
sum_put_marks(const struct summary *sum, size_t columns)
{
	struct buf b = {0};
	const char *word;
	json_t *count;
	if (json_object_size(sum->marks)) {
		xoutput_line("", 0);
		buf_addf(&b, "marks of doubt, with the number of notebooks "
		    "(see nbscope-records(7)):");
		json_object_foreach(sum->marks, word, count)
			buf_addf(&b, " %s %" JSON_INTEGER_FORMAT, word, json_integer_value(count));
		text_put_wrapped(STYLE_DOUBT, b.p, 0, columns);
	}
	b.n = 0;
	if (json_object_size(sum->versions) > 1) {
		buf_addf(&b, "runs of different versions of nbscope:");
		json_object_foreach(sum->versions, word, count)
			buf_addf(&b, " %s (%" JSON_INTEGER_FORMAT ")", word,
			    json_integer_value(count));
		text_put_trimmed(&b);
	}
	buf_free(&b);
}
