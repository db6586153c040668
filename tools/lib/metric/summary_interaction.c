/* summary_interaction.c: the interactions of the notebooks of a summary. */
#include "metric/summary_interaction.h"
#include "base/die.h"
#include "text/text.h"

enum { MOST = 12, INDENT = 6 };

void
summary_interaction_read(struct summary *s, struct scan *members)
{
	struct metrics_record r = metrics_record_of(members, NULL);
	struct run_summary *of = &s->v[summary_result_of(s, &r)];
	char *name = metrics_record_text(&r, M_interaction);
	bool completed = r.status == CELL_COMPLETED;
	*XAPPEND(of->interactions, of->n_interactions) = (struct summary_interaction){
		.cell = r.index > 0 ? (long)r.index : 0, .name = name ? name : xstrdup("?"),
		.text = metrics_record_text(&r, completed ? M_diagnosis : M_reason),
		.status = r.status};
}

static void
put_one(const struct summary_interaction *i, bool with_cell, size_t columns)
{
	struct buf b = {0};
	if (with_cell && i->cell)
		buf_addf(&b, "cell %ld, ", i->cell);
	buf_addf(&b, "%s: ", i->name);
	if (i->status != CELL_COMPLETED)
		buf_addf(&b, "%s%s", cell_status_shown(i->status), i->text ? ": " : "");
	buf_addf(&b, "%s", i->text ? i->text : i->status == CELL_COMPLETED ? "Completed" : "");
	text_put_wrapped(cell_status_is_bad(i->status) ? STYLE_BAD : STYLE_NONE, b.p, INDENT,
	    columns);
	buf_free(&b);
}

void
summary_interaction_put(const struct run_summary *of, long cell, size_t columns)
{
	size_t put = 0, more = 0;
	for (size_t i = 0; i < of->n_interactions; i++)
		put += of->interactions[i].shown;
	for (size_t i = 0; i < of->n_interactions; i++) {
		struct summary_interaction *k = &of->interactions[i];
		if (k->shown || (cell >= 0 && k->cell != cell))
			continue;
		if (put == MOST) {
			more++;
			continue;
		}
		k->shown = true;
		put++;
		put_one(k, cell < 0, columns);
	}
	if (more && cell < 0) {
		char *line = xasprintf("%*s%zu more interactions in interaction_metrics.csv", INDENT,
		    "", more);
		text_put_styled(STYLE_NONE, line);
		free(line);
	}
}
