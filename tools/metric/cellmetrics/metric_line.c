/* metric_line.c: the records that cellmetrics writes. */
#include "metric_line.h"
#include "base/output.h"
#include "diagnosis.h"
#include "json/json_text.h"
#include "json/member.h"
#include "metric/interaction_text.h"
#include "speed_index.h"
#include "text/source_line.h"

enum { SOURCE_LINE_BYTES = 200 };

static struct buf identity;	/* the first members of all lines of a run */
static struct buf version;	/* the last one */
static struct buf about;	/* the environment: in the last line only */
static struct buf out;

/* ---- what all lines share -------------------------------------------------------- */

/* Sets b to the members of `s` that `keys` names. */
static void
put_members(struct buf *b, struct scan *s, const char *const *keys, size_t n)
{
	b->n = 0;
	for (size_t i = 0; i < n; i++)
		member_span(b, strcmp(keys[i], "notebook") == 0 ? "notebook_filename" : keys[i],
		    scan_get(s, keys[i]));
}

void
metric_line_run(struct scan *s)
{
	static const char *const first[] = {"usecase", "name", "notebook", "label", "repetition",
	    "attempt", "params"};
	static const char *const last[] = {"nbscope_version"};
	static const char *const where[] = {"t", "browser", "window", "jupyterlab", "kernel",
	    "language", "machine"};
	static struct scan made_from;
	put_members(&identity, s, first, COUNT(first));
	put_members(&version, s, last, COUNT(last));
	put_members(&about, s, where, COUNT(where));
	scan_members(&made_from, scan_get(s, "made_from"));
	member_span(&about, "environment_id", scan_get(&made_from, "environment"));
	member_span(&about, "made_from", scan_get(s, "made_from"));
}

struct buf *
metric_line_begin(const char *type)
{
	out.n = 0;
	member_raw(&out, "{");
	member_text(&out, "type", type);
	buf_add(&out, identity.p, identity.n);
	return &out;
}

void
metric_line_about(void)
{
	buf_add(&out, about.p, about.n);
}

void
metric_line_end(void)
{
	buf_add(&out, version.p, version.n);
	member_end(&out);
	xoutput_line(out.p, out.n);
}

/* ---- cells ---------------------------------------------------------------------- */

void
metric_line_missing(long index, const char *status, const struct buf *started, bool incomplete,
    struct span reason)
{
	metric_line_begin("cell_metrics");
	member_number(&out, "cell_index", (double)index, true);
	if (started)
		buf_add(&out, started->p, started->n);
	else
		member_raw(&out, "\"cell_id\":null,\"heading\":null,\"tags\":[],"
		    "\"profiled\":null,");
	member_text(&out, "execution_status", status);
	cell_values_put(&out, NULL, metric_in_cells);
	member_raw(&out, "\"error_name\":null,\"error_value\":null,");
	member_span(&out, "reason", reason);
	member_raw(&out, incomplete ? "\"marks\":[\"incomplete\"]," : "\"marks\":[],");
	member_raw(&out, "\"diagnosis\":null,\"source_line\":null,\"source\":null,"
	    "\"frames\":null,\"t\":null,");
	metric_line_end();
}

static void
put_source_line(struct span source)
{
	char *text = span_string(source);
	char *line = text ? source_line(text, SOURCE_LINE_BYTES) : NULL;
	json_t *value = line ? json_string(line) : json_null();
	char *member = json_text_of(value);
	member_span(&out, "source_line", (struct span){member, strlen(member)});
	json_decref(value);
	free(member);
	free(line);
	free(text);
}

void
metric_line_cell(struct scan *s, long index, const char *status, const struct cell_values *m,
    const struct cell_context *ends)
{
	static const char *const of_cell[] = {"heading", "tags", "profiled", "error_name",
	    "error_value"};
	bool cell = !ends->interaction.p;
	const char *why = !m ? NULL : cell ? diagnosis(m, ends, scan_get(s, "page")) :
	    interaction_text(m->number, scan_get(s, "scripts"));
	metric_line_begin(cell ? "cell_metrics" : "interaction_metrics");
	member_number(&out, "cell_index", index ? (double)index : (double)NAN, true);
	member_span(&out, "cell_id", scan_get(s, "cell_id"));
	if (!cell)
		member_span(&out, "interaction", ends->interaction);
	for (size_t i = 0; cell && i < COUNT(of_cell); i++)
		member_span(&out, of_cell[i], scan_get(s, of_cell[i]));
	member_text(&out, "execution_status", status);
	cell_values_put(&out, m, cell ? metric_in_cells : metric_in_interactions);
	member_span(&out, "reason", scan_get(s, "reason"));
	struct span marks = scan_get(s, "marks");
	member_span(&out, "marks", span_null(marks) ? (struct span){"[]", 2} : marks);
	if (why)
		member_text(&out, "diagnosis", why);
	else
		member_span(&out, "diagnosis", (struct span){0});
	if (cell) {
		put_source_line(scan_get(s, "source"));
		member_span(&out, "source", scan_get(s, "source"));
	}
	speed_index_put_frames(&out, ends->pressed_t);
	member_span(&out, "t", scan_get(s, cell ? "pressed_t" : "t"));
	metric_line_end();
}
