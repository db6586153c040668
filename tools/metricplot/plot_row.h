/* plot_row.h: a row of a figure's data: numbers and words by name, as a kind of figure asks for. */
#ifndef PLOT_ROW_H
#define PLOT_ROW_H

#include "plot.h"

enum { ROW_NUMBERS = 12, ROW_WORDS = 4, NO_MEASURE = MAX_MEASURES };
struct row {
	const struct plotting *p;
	const struct pane *pane;
	const struct stat_table *s;	/* whose group has all its statistics; NULL: none */
	size_t group;
	size_t measure;	/* of the pane: of a name without "@2" */
	struct {
		const char *name;
		double v;
		size_t measure;	/* of the pane, which has the unit; NO_MEASURE: a pure number */
	} number[ROW_NUMBERS];
	struct {
		const char *name, *text;
	} word[ROW_WORDS];
	size_t n_numbers, n_words;
};

void plot_row_number(struct row *, const char *name, double, size_t measure);
void plot_row_word(struct row *, const char *name, const char *text);
double plot_row_value(const struct row *, const char *name);	/* in the unit of its column */
/* Fills "{g}: {value}, {share:.1f} %": words, numbers with their units, and with a format without
 * it, {NAME:} as plain as possible.  NULL: not all are known, if they must be.  The caller's. */
char *plot_row_text(const struct row *, const char *form, bool must_be_known);
/* Adds the row with the "fields" of a kind's data, "g x=value p5", and its "texts", which are
 * omitted if they are lists of which no form is known. */
void plot_row_add(const struct row *, const json_t *data, json_t *to);

#endif
