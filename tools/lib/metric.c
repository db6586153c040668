/* metric.c: what was measured of one cell, and of all of a notebook's. */
#include "metric.h"

#include <math.h>

enum how { SECONDS, COUNTED, AS_IT_IS, MADE, MADE_COUNT };
enum place { IN_CELL, IN_CHANGES, IN_OUTPUTS };

/* In cellrun's order where it can be: lookups are then quickest.  Two rows may
 * read one member: people's scripts know its old name. */
static const struct row {
	const char *from, *to;
	enum how how;
	bool sum;
	enum place place;
} table[] = {
	[CLIENT] = {"client_ms", "client_execution_time_metric", SECONDS, true, IN_CELL},
	[KERNEL] = {"kernel_ms", "kernel_execution_time_metric", SECONDS, true, IN_CELL},
	[DATA] = {NULL, "client_total_data_received_metric", MADE, true, IN_CELL},
	[SETTLED] = {NULL, "settled_s", MADE, false, IN_CELL},
	[QUEUE] = {"queue_ms", "queue_s", SECONDS, true, IN_CELL},
	[DELIVERY] = {"delivery_ms", "delivery_s", SECONDS, true, IN_CELL},
	[QUEUE_DELIVERY] = {"queue_delivery_ms", "queue_delivery_s", SECONDS, true, IN_CELL},
	[MESSAGES] = {NULL, "ws_messages", MADE_COUNT, true, IN_CELL},
	[MESSAGES_SENT] = {"ws_messages_sent", "ws_messages_sent", COUNTED, true, IN_CELL},
	[MESSAGES_RECEIVED] = {"ws_messages_received", "ws_messages_received", COUNTED, true, IN_CELL},
	[WS_BYTES] = {"ws_bytes_received", "ws_bytes_received", COUNTED, true, IN_CELL},
	[HTTP_BYTES] = {"http_bytes_received", "http_bytes_received", COUNTED, true, IN_CELL},
	[OTHERS] = {"dispatch_ms", "dispatch_s", SECONDS, true, IN_CELL},
	{"kernel_ms", "kernel_s", SECONDS, true, IN_CELL},
	{"render_ms", "render_s", SECONDS, true, IN_CELL},
	{"residual_ms", "residual_s", SECONDS, true, IN_CELL},
	{"kernel_after_ms", "kernel_after_s", SECONDS, true, IN_CELL},
	{"clock_offset_ms", "clock_offset_s", SECONDS, false, IN_CELL},
	{"clock_bound_ms", "clock_bound_s", SECONDS, false, IN_CELL},
	{"script_ms", "script_s", SECONDS, true, IN_CELL},
	{"ws_bytes_sent", "ws_bytes_sent", COUNTED, true, IN_CELL},
	{"comm_messages_sent", "comm_messages_sent", COUNTED, true, IN_CELL},
	{"comm_messages_received", "comm_messages_received", COUNTED, true, IN_CELL},
	{"count", "outputs", COUNTED, true, IN_OUTPUTS},
	{"bytes", "outputs_bytes", COUNTED, true, IN_OUTPUTS},
	{"dom", "changes_dom", COUNTED, true, IN_CHANGES},
	{"canvas2d", "changes_canvas2d", COUNTED, true, IN_CHANGES},
	{"webgl", "changes_webgl", COUNTED, true, IN_CHANGES},
	{"image", "changes_image", COUNTED, true, IN_CHANGES},
	{"size", "changes_size", COUNTED, true, IN_CHANGES},
	{"last_change", "last_change", AS_IT_IS, false, IN_CELL},
	{"drawn", "drawn", AS_IT_IS, false, IN_CELL},
	{"waited", "waited", AS_IT_IS, false, IN_CELL},
	{"screenshot", "screenshot", AS_IT_IS, false, IN_CELL},
};
_Static_assert(COUNT(table) == METRICS, "METRICS counts the table's rows");

static bool
whole(const struct row *r)
{
	return r->how == COUNTED || r->how == MADE_COUNT;
}

void
read_metrics(struct metrics *m, struct scan *cell)
{
	static struct scan parts[2];
	scan_members(&parts[0], scan_get(cell, "changes"));
	scan_members(&parts[1], scan_get(cell, "outputs"));
	for (size_t i = 0; i < METRICS; i++) {
		const struct row *r = &table[i];
		if (!r->from)
			continue;
		m->text[i] = scan_get(r->place == IN_CELL ? cell : &parts[r->place - 1], r->from);
		m->value[i] = span_number(m->text[i]) / (r->how == SECONDS ? 1000 : 1);
	}
	m->value[DATA] = (m->value[WS_BYTES] + m->value[HTTP_BYTES]) / 1e6;
	m->value[MESSAGES] = m->value[MESSAGES_SENT] + m->value[MESSAGES_RECEIVED];
	m->value[SETTLED] = span_number(scan_get(cell, "settled_t")) - span_number(scan_get(cell, "pressed_t"));
}

void
put_metrics(struct buf *b, const struct metrics *m)
{
	for (size_t i = 0; i < METRICS; i++)
		if (table[i].how == AS_IT_IS)
			put_member(b, table[i].to, m ? m->text[i] : (struct span){0});
		else
			put_number(b, table[i].to, m ? m->value[i] : (double)NAN, whole(&table[i]));
}

void
sums_start(struct sums *s)
{
	*s = (struct sums){.apart = true};
	for (size_t i = 0; i < METRICS; i++)
		s->value[i] = NAN;
}

void
sums_add(struct sums *s, const struct metrics *m)
{
	const double *v = m->value;
	for (size_t i = 0; i < METRICS; i++)
		if (table[i].sum && isfinite(v[i]))
			s->value[i] = isfinite(s->value[i]) ? s->value[i] + v[i] : v[i];
	if (v[QUEUE_DELIVERY] > 0 && !(isfinite(v[QUEUE]) && isfinite(v[DELIVERY])))
		s->apart = false;
	if (!isfinite(v[CLIENT]) || !isfinite(v[KERNEL]) || !isfinite(v[DATA]))
		s->partial = true;
}

void
sums_put(struct buf *b, const struct sums *s)
{
	for (size_t i = 0; i < METRICS; i++)
		if (table[i].sum)
			put_number(b, table[i].to, (i == QUEUE || i == DELIVERY) && !s->apart ? (double)NAN : s->value[i], whole(&table[i]));
}
