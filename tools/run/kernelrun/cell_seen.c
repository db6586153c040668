/* cell_seen.c: what a driver without a page has seen of a cell. */
#include "cell_seen.h"
#include "base/clock.h"
#include "base/die.h"
#include "json/json_parse.h"
#include "json/json_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP_MS 20.0

enum { MAX_NAME = 200, MAX_VALUE = 10000 };	/* characters of an error */

static json_t *
cut_text(const json_t *content, const char *name, const char *otherwise, size_t most)
{
	const json_t *text = json_object_get(content, name);
	if (!json_string_length(text))
		return json_string(otherwise);
	char *all = json_parse_string(text);
	size_t count = 0, end = 0;
	for (size_t i = 0; all[i]; i++) {
		bool begins = ((unsigned char)all[i] & 0xc0) != 0x80;
		if (begins && count == most)
			end = i;
		count += begins;
	}
	json_t *value = count > most ? json_sprintf("%.*s... (%zu characters)", (int)end, all,
	    count) : json_string(all);
	free(all);
	return value;
}

/* If a kernel was busy for longer than we waited for it, or for a negative time, its clock has been
 * set meanwhile. */
static bool
clock_was_set(const struct kernel_cell *now, double received)
{
	double span = now->idle - now->busy;
	return !isnan(received) && (span < 0 || span > received - now->sent + STEP_MS);
}

static json_t *
marks_of(struct kernel_cells *r, bool stepped, bool was_busy)
{
	const struct kernel_client *k = &r->client;
	const struct kernel_cell *now = &r->now;
	const struct kernel_cell_result *result = &r->results[now->cell->index - 1];
	bool replaces = json_is_true(json_object_get(result->next_input, "replace"));
	const struct { const char *mark; bool is_set; } all[] = {
		{.mark = "no_browser", .is_set = true},
		{.mark = "clock_stepped", stepped || k->clock.steps > now->steps},
		{.mark = "reconnected", k->drops > now->drops && !k->lost},
		{.mark = "messages_lost", result->lost || k->unread > now->unread ||
		    (was_busy && now->content && isnan(now->idle))},
		{.mark = "no_timestamp", now->no_date},
		{.mark = "inserted_cell", result->next_input && !replaces},
	};
	json_t *marks = json_array();
	for (size_t i = 0; i < COUNT(all); i++)
		if (all[i].is_set)
			json_array_append_new(marks, json_string(all[i].mark));
	return marks;
}

/* When the cell's last message arrived; NaN unless both have. */
static double
received_ms(const struct kernel_cell *now)
{
	return isnan(now->reply + now->idle_at) ? NAN : fmax(now->reply, now->idle_at);
}

json_t *
cell_seen(struct kernel_cells *r, const char *outcome)
{
	struct kernel_client *k = &r->client;
	const struct kernel_cell *now = &r->now;
	const struct kernel_cell_result *result = &r->results[now->cell->index - 1];
	const char *status = json_string_value(json_object_get(now->content, "status"));
	double end = clock_unix_s() * 1000, received = received_ms(now);
	bool stepped = clock_was_set(now, received);
	if (stepped)
		kernel_clock_reset(&k->clock);
	json_t *marks = marks_of(r, stepped, strcmp(outcome, "kernel_busy") == 0);
	json_t *seen = json_pack("{s:s, s:o, s:i, s:b, s:f, s:f, s:b, s:O?, s:b, s:o, s:o, s:o, "
	    "s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I}", "outcome", outcome, "marks", marks,
	    "origin", 0, "stepped", stepped, "end", end, "sinceHeard", end - k->heard_ms, "input",
	    now->input, "lost", k->lost, "replied", now->content != NULL,
	    "replyStatus", json_value_text(status), "sent", json_value_real(now->sent),
	    "busy", json_value_real(now->busy), "idle", json_value_real(now->idle),
	    "received", json_value_real(received),
	    "offset", json_value_real(kernel_clock_offset(&k->clock)),
	    "bound", json_value_real(kernel_clock_error(&k->clock)),
	    "sentMessages", now->out.messages, "sentBytes", now->out.bytes,
	    "receivedMessages", now->in.messages, "receivedBytes", now->in.bytes,
	    "commSent", (json_int_t)0, "commReceived", now->comms);
	if (status && strcmp(status, "error") == 0)
		json_object_update_new(seen, json_pack("{s:o, s:o}",
		    "errorName", cut_text(now->content, "ename", "Error", MAX_NAME),
		    "errorValue", cut_text(now->content, "evalue", "", MAX_VALUE)));
	cell_outputs_count(&result->outputs, result->updates, seen);
	return seen;
}
