/* page_events.c: what share/page/listen.js reports, as records. */
#include "page_events.h"
#include "base/clock.h"
#include "base/die.h"
#include "json/json_value.h"
#include "kernel/kernel_process.h"
#include "notebook/run_options.h"
#include "page/arrival.h"
#include "process/affinity.h"
#include "record/apart_record.h"
#include "record/cell_record.h"
#include "record/interaction_record.h"

enum { LATE_MS = 20 };	/* a later reading mixes the usage of two cells */

static json_t *
serial_key(json_t *map, json_int_t serial, char key[24])
{
	snprintf(key, 24, "%lld", (long long)serial);
	return json_object_get(map, key);
}

/* ---- usage: readings divide the time between the cells ------------------------------ */

static void
watch_kernel(struct page_events *e, const char *id)
{
	char *kernel_id = xstrdup(id), error[256];	/* id may be e->kernel_id */
	const char *cores = run_options.cores;
	pid_t pid = kernel_process_find(kernel_id);
	if (cores && pid && affinity_set(pid, cores, error) != 0)
		warn("--cores: %s", error);
	if (e->session->usage)
		cell_usage_close(e->session->usage);
	e->session->usage = cell_usage_open(e->session->lab, kernel_id, pid, NULL);
	cell_usage_write_watches(e->session->usage, xrun_record_write);
	free(e->kernel_id);
	e->kernel_id = kernel_id;
}

static void
read_before(struct page_events *e)
{
	struct session *s = e->session;
	if (!s->usage)
		return;
	/* A restarted kernel keeps its id. */
	if (cell_usage_kernel_replaced(s->usage))
		watch_kernel(e, e->kernel_id);
	cell_usage_before(s->usage);
	e->read_t = clock_unix_s();
}

static void
follow_kernel(struct page_events *e, const char *id)
{
	const struct cell_usage *usage = e->session->usage;
	bool same = id && e->kernel_id && strcmp(e->kernel_id, id) == 0;
	if (!id || (same && !(usage && cell_usage_kernel_replaced(usage))))
		return;
	if (!same)
		watch_kernel(e, id);
	read_before(e);
}

static json_t *
read_after(struct page_events *e)
{
	return e->session->usage ? cell_usage_after(e->session->usage) : json_null();
}

/* The kernel went on to another cell at time t. */
static void
on_next_cell(struct page_events *e, json_int_t serial, double t)
{
	char key[24];
	if (e->latest) {
		bool late = (clock_unix_s() - t) * 1000 > LATE_MS;
		serial_key(e->used, e->latest, key);
		json_object_set_new(e->used, key, read_after(e));
		read_before(e);
		if (late) {
			json_object_set_new(e->overlapping, key, json_true());
			serial_key(e->used, serial, key);
			json_object_set_new(e->overlapping, key, json_true());
		}
	}
	e->latest = serial;
}

static json_t *
take_usage(struct page_events *e, json_int_t serial)
{
	char key[24];
	json_t *used = serial_key(e->used, serial, key);
	if (used) {
		json_incref(used);
		json_object_del(e->used, key);
		return used;
	}
	if (serial != e->latest)
		return json_null();	/* it never had the kernel */
	used = read_after(e);
	e->latest = 0;
	read_before(e);
	return used;
}

/* ---- records -------------------------------------------------------------------------- */

static struct notebook_cell
described_cell(const json_t *cell)
{
	const char *id = json_string_value(json_object_get(cell, "id"));
	const char *source = json_string_value(json_object_get(cell, "source"));
	return (struct notebook_cell){
		.position = (size_t)json_integer_value(json_object_get(cell, "position")),
		.index = (size_t)json_integer_value(json_object_get(cell, "index")),
		.id = id ? id : "", .source = xstrdup(source ? source : ""),
		.tags = notebook_tags(json_object_get(cell, "tags")),
	};
}

static void
free_cell(struct notebook_cell *c)
{
	free(c->source);
	json_decref(c->tags);
}

static void
write_console(const struct notebook_cell *c, const json_t *lines)
{
	json_t *line;
	size_t i;
	json_array_foreach(lines, i, line)
		xrun_record_write(cell_record_console(c, line));
}

/* Listening ended, or the page was closed, while the cell ran. */
static void
write_truncated(struct page_events *e, const json_t *cell, const char *why)
{
	struct notebook_cell c = described_cell(cell);
	json_int_t serial = json_integer_value(json_object_get(cell, "serial"));
	json_t *r = cell_record_unmeasured(&c, CELL_BROWSER_DIED, why);
	cell_record_mark(r, "truncated");
	json_object_set_new(r, "pressed_t", json_value_time(json_value_real_at(cell, "pressed_t")));
	json_object_set_new(r, "sent_t", json_value_time(json_value_real_at(cell, "sent_t")));
	json_object_set(r, "pressed_by", json_object_get(cell, "pressedBy"));
	json_object_set_new(r, "usage", take_usage(e, serial));
	xrun_record_write(r);
	e->cells++;
	free_cell(&c);
}

static void
on_start(struct page_events *e, json_t *event)
{
	/* For a record that is truncated. */
	static const char *const begun[] = {"pressed_t", "sent_t", "pressedBy"};
	json_t *cell = json_object_get(event, "cell");
	json_int_t serial = json_integer_value(json_object_get(cell, "serial"));
	struct notebook_cell c = described_cell(cell);
	char key[24];
	follow_kernel(e, json_string_value(json_object_get(event, "kernelId")));
	double t = json_number_value(json_object_get(event, "t"));
	if (!json_is_true(json_object_get(event, "queued"))) {
		struct cell_usage *usage = e->session->usage;
		if (!e->latest && usage && t < e->read_t)
			cell_usage_undo_before(usage);
		on_next_cell(e, serial, json_number_value(json_object_get(event, "sent_t")));
	}
	json_t *r = cell_record_start(&c);
	json_object_set_new(r, "t", json_value_time(t));
	xrun_record_write(r);
	serial_key(e->open, serial, key);
	json_object_set(e->open, key, cell);
	for (size_t i = 0; i < COUNT(begun); i++)
		json_object_set(cell, begun[i], json_object_get(event, begun[i]));
	free_cell(&c);
}

static void
on_cell(struct page_events *e, json_t *event)
{
	json_t *cell = json_object_get(event, "cell"), *seen = json_object_get(event, "seen"), *r;
	json_int_t serial = json_integer_value(json_object_get(cell, "serial"));
	const char *reply = json_string_value(json_object_get(seen, "replyStatus"));
	struct notebook_cell c = described_cell(cell);
	char key[24];
	bool aborted = reply && strcmp(reply, "aborted") == 0;
	json_t *used = take_usage(e, serial);
	arrival_end(seen);
	write_console(&c, json_object_get(seen, "console"));
	apart_record_write(&c, seen);
	if (aborted)
		r = cell_record_unmeasured(&c, CELL_NOT_RUN,
		    "the kernel aborted it after the error of an earlier cell");
	else
		r = cell_record(&c, seen);
	if (cell_record_outcome_is(seen, "kernel_busy")) {
		json_object_set_new(r, "reason",
		    json_string("listening ended while the kernel was running it"));
		cell_record_mark(r, "truncated");
	}
	json_object_set(r, "pressed_by", json_object_get(event, "pressedBy"));
	if (serial_key(e->overlapping, serial, key) && !aborted)
		cell_record_mark(r, "usage_overlaps");
	json_object_set(r, "usage", aborted ? json_null() : used);
	xrun_record_write(r);
	e->cells++;
	json_object_del(e->overlapping, key);
	json_object_del(e->open, key);
	if (json_object_size(e->open))
		arrival_continue();
	else
		arrival_begin(e->server_url);
	json_decref(used);
	free_cell(&c);
}

static void
on_interaction(struct page_events *e, json_t *event)
{
	const struct notebook_cell none = {0};
	json_t *console = json_object_get(event, "console"), *line;
	char key[24];
	size_t i;
	json_array_foreach(console, i, line)
		json_object_set_new(line, "in_cell", json_false());
	write_console(&none, console);
	interaction_record_write(event, ++e->interactions, NULL, xrun_record_write);
	serial_key(e->unsettled, json_integer_value(json_object_get(event, "serial")), key);
	json_object_del(e->unsettled, key);
}

/* As far as it is known, if the page is closed before its output has settled. */
static void
on_unsettled(struct page_events *e, json_t *event)
{
	char key[24];
	serial_key(e->unsettled, json_integer_value(json_object_get(event, "serial")), key);
	json_object_set(e->unsettled, key, event);
}

void
page_events_truncate(struct page_events *e, const char *why)
{
	const char *key;
	json_t *cell, *event;
	void *next;
	json_object_foreach(e->open, key, cell)
		write_truncated(e, cell, why);
	json_object_clear(e->open);
	json_object_foreach_safe(e->unsettled, next, key, event)
		on_interaction(e, event);
}

static void
on_renamed(struct page_events *e, const char *path)
{
	if (!path)
		return;
	free(e->renamed);
	e->path = e->renamed = xstrdup(path);
}

void
page_events_on_event(struct page_events *e, json_t *event, bool last)
{
	const char *what = json_string_value(json_object_get(event, "what"));
	if (strcmp(what, "start") == 0)
		on_start(e, event);
	else if (strcmp(what, "begin") == 0)
		on_next_cell(e, json_integer_value(json_object_get(event, "serial")),
		    json_number_value(json_object_get(event, "t")));
	else if (strcmp(what, "cell") == 0)
		on_cell(e, event);
	else if (strcmp(what, "interaction") == 0)
		on_interaction(e, event);
	else if (strcmp(what, "unsettled") == 0)
		on_unsettled(e, event);
	else if (strcmp(what, "soon") == 0 && last && !e->latest)
		read_before(e);
	else if (strcmp(what, "renamed") == 0)
		on_renamed(e, json_string_value(json_object_get(event, "path")));
	else if (strcmp(what, "server_side") == 0)
		xrun_record_write(run_record_fault("server_side", "server-side execution "
		    "(jupyter-server-nbmodel): the page sends no execute_request, so its cells "
		    "are not recorded"));
}

void
page_events_on_answer(struct page_events *e, const json_t *answer)
{
	json_t *events = json_object_get(answer, "events"), *event;
	double life = json_number_value(json_object_get(answer, "life"));
	size_t i, n = json_array_size(events);
	if (life != e->life)
		page_events_truncate(e, "the page was loaded again before the cell was over");
	e->received = life == e->life ? e->received + n : n;
	e->life = life;
	json_array_foreach(events, i, event)
		page_events_on_event(e, event, i == n - 1);
	/* While nothing happens the baseline stays fresh, so that it excludes what came before a
	 * cell. */
	if (n == 0 && !e->latest)
		read_before(e);
	if (n == 0 && !json_object_size(e->open))
		arrival_begin(e->server_url);
}

void
page_events_check_kernel(struct page_events *e)
{
	const struct cell_usage *usage = e->session->usage;
	if (!e->latest && usage && cell_usage_kernel_replaced(usage))
		read_before(e);
}

void
page_events_open(struct page_events *e, struct session *s, const char *kernel_id,
    const char *server_url)
{
	e->session = s;
	e->server_url = server_url;
	arrival_begin(server_url);
	e->open = json_object();
	e->used = json_object();
	e->overlapping = json_object();
	e->unsettled = json_object();
	if (!kernel_id)
		return;
	xsession_watch_kernel(s, kernel_id);
	e->kernel_id = xstrdup(kernel_id);
	read_before(e);
}

void
page_events_close(struct page_events *e)
{
	if (e->session && e->session->usage)
		cell_usage_close(e->session->usage);
	json_decref(e->open);
	json_decref(e->used);
	json_decref(e->overlapping);
	json_decref(e->unsettled);
	free(e->kernel_id);
	free(e->renamed);
}
