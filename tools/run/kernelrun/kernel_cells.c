/* kernel_cells.c: the cells of a notebook, run in a kernel one after the other. */
#include "kernel_cells.h"
#include "base/clock.h"
#include "base/die.h"
#include "json/json_parse.h"
#include "json/json_value.h"
#include "record/cell_fault.h"

/* ---- what is seen of a cell ---- */

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

/* The error that the cell ends with or shows; NULL: there is none.  ipykernel's reply does not name
 * an exception that was raised while a value was formatted. */
static const json_t *
error_of(const struct kernel_cell *now, const struct kernel_cell_result *result, bool failed)
{
	const json_t *shown = cell_outputs_error(&result->outputs);
	const char *name = json_string_value(json_object_get(now->content, "ename"));
	bool is_named = failed && !(name && strcmp(name, "NoneType") == 0);
	shown = shown ? shown : result->caught;
	return is_named || (failed && !shown) ? now->content : shown;
}

/* When the cell's last message arrived; NaN unless both have. */
static double
received_ms(const struct kernel_cell *now)
{
	return isnan(now->reply + now->idle_at) ? NAN : fmax(now->reply, now->idle_at);
}

/* The members that a page would report of the cell that ran last: cell_record.h. */
static json_t *
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
	const json_t *error = error_of(now, result, status && strcmp(status, "error") == 0);
	if (error)
		json_object_update_new(seen, json_pack("{s:o, s:o}",
		    "errorName", cut_text(error, "ename", "Error", MAX_NAME),
		    "errorValue", cut_text(error, "evalue", "", MAX_VALUE)));
	if (result->exit)
		json_object_set(seen, "exit", result->exit);
	cell_outputs_count(&result->outputs, result->updates, seen);
	return seen;
}

enum { NO_REPLY_MS = 5000 };	/* from the kernel's idle status to its reply, at most */

/* ---- messages ------------------------------------------------------------------------------ */

static void
on_status(struct kernel_cell *now, struct kernel_message *m, double t)
{
	const json_t *content = kernel_message_content(m);
	const char *state = json_string_value(json_object_get(content, "execution_state"));
	double date = kernel_message_date(m);
	if (isnan(date)) {
		now->no_date = true;
		date = t;
	}
	if (state && strcmp(state, "busy") == 0) {
		now->busy = date;
	} else if (state && strcmp(state, "idle") == 0) {
		now->idle = date;
		now->idle_at = t;
	}
}

/* JupyterLab handles what comes with a reply only if the cell has succeeded: the first pager's text
 * becomes an output.  exit() ends the kernel in any case. */
static void
on_reply(struct kernel_cells *r, struct kernel_message *m, double t)
{
	struct kernel_cell_result *result = &r->results[r->now.cell->index - 1];
	json_t *content = kernel_message_content(m), *payload, *paged = NULL;
	const char *status = json_string_value(json_object_get(content, "status"));
	bool ok = status && strcmp(status, "ok") == 0;
	size_t i;
	r->now.reply = t;
	r->now.content = json_incref(content);
	json_decref(result->execution_count);
	result->execution_count = json_incref(json_object_get(content, "execution_count"));
	json_array_foreach(json_object_get(content, "payload"), i, payload) {
		const char *source = json_string_value(json_object_get(payload, "source"));
		const char *word = source ? source : "";
		if (ok && strcmp(word, "page") == 0 && !paged)
			paged = json_pack("{s:O?}", "data", json_object_get(payload, "data"));
		else if (ok && strcmp(word, "set_next_input") == 0 && !result->next_input)
			result->next_input = json_incref(payload);
		else if (strcmp(word, "ask_exit") == 0 && !result->exit)
			result->exit = json_incref(payload);
	}
	if (paged)
		cell_outputs_add(&result->outputs, "display_data", paged, 0);
	json_decref(paged);
}

/* The result of the cell that a message belongs to; NULL: of none.  What threads print belongs to
 * the last cell also after a silent request. */
static struct kernel_cell_result *
owner_of(struct kernel_cells *r, const char *parent_id)
{
	const json_t *index = json_object_get(r->owners, parent_id);
	if (index)
		return &r->results[json_integer_value(index)];
	return r->now.cell && kernel_client_is_silent(&r->client, parent_id) ?
	    &r->results[r->now.cell->index - 1] : NULL;
}

static bool
is_captured(const struct kernel_cells *r, const char *parent_id)
{
	const char *comm;
	const json_t *id;
	json_object_foreach(r->captures, comm, id)
		if (strcmp(json_string_value(id), parent_id) == 0)
			return true;
	return false;
}

/* A display that is updated, or displayed again, changes wherever it is.  What an Output widget
 * takes is in no notebook. */
static void
on_output(struct kernel_cells *r, struct kernel_message *m)
{
	struct kernel_cell_result *owner = owner_of(r, m->parent_id), *result = r->results;
	json_t *content = kernel_message_content(m);
	const json_t *transient = json_object_get(content, "transient");
	const char *id = json_string_value(json_object_get(transient, "display_id"));
	bool updates = strcmp(m->type, "update_display_data") == 0, found = false;
	bool captured = is_captured(r, m->parent_id);
	if (!json_is_object(content))
		r->client.unread++;
	for (; id && result < r->results + r->notebook->n; result++)
		if (!(captured && result == owner) &&
		    cell_outputs_update(&result->outputs, id, content))
			found = found || result == owner;
	if (owner && captured && strcmp(m->type, "error") == 0) {
		json_decref(owner->caught);
		owner->caught = json_incref(content);
	}
	if (!owner || captured || !json_is_object(content))
		return;
	owner->lost = owner->lost || cell_outputs_is_loss(content, m->content_bytes);
	if (!updates) {
		cell_outputs_add(&owner->outputs, m->type, content, m->content_bytes);
	} else if (id && !found) {
		owner->updates = owner->updates ? owner->updates : json_object();
		json_object_set(owner->updates, id, json_object_get(content, "data"));
	}
}

/* An Output widget names the request whose outputs it takes while its context is entered. */
static void
on_comm(struct kernel_cells *r, struct kernel_message *m)
{
	json_t *content = kernel_message_content(m);
	const json_t *state = json_object_get(json_object_get(content, "data"), "state");
	const char *comm = json_string_value(json_object_get(content, "comm_id"));
	const char *model = json_string_value(json_object_get(state, "_model_name"));
	json_t *id = json_object_get(state, "msg_id");
	bool is_new = model && strcmp(model, "OutputModel") == 0;
	if (comm && json_is_string(id) && (is_new || json_object_get(r->captures, comm)))
		json_object_set(r->captures, comm, id);
}

static void
keep_date(struct kernel_cell_result *result, const char *name, json_t *date)
{
	result->execution = result->execution ? result->execution : json_object();
	if (json_is_string(date))
		json_object_set(result->execution, name, date);
}

/* What JupyterLab stores with its setting recordTiming. */
static void
keep_dates(struct kernel_cell_result *result, struct kernel_message *m)
{
	json_t *date = json_object_get(m->header, "date");
	if (strcmp(m->type, "execute_reply") == 0) {
		keep_date(result, "shell.execute_reply.started",
		    json_object_get(m->metadata, "started"));
		keep_date(result, "shell.execute_reply", date);
	} else if (strcmp(m->type, "execute_input") == 0) {
		keep_date(result, "iopub.execute_input", date);
	} else if (strcmp(m->type, "status") == 0) {
		const json_t *state = json_object_get(kernel_message_content(m), "execution_state");
		char *name = xasprintf("iopub.status.%s", json_string_value(state));
		keep_date(result, name, date);
		free(name);
	}
}

static void
on_message(void *arg, struct kernel_message *m, double t)
{
	struct kernel_cells *r = arg;
	struct kernel_cell *now = &r->now;
	bool is_cells = now->cell && strcmp(m->parent_id, now->id) == 0;
	bool is_comm = strncmp(m->type, "comm_", 5) == 0;
	if (now->counting) {
		now->in.messages++;
		now->in.bytes += (json_int_t)m->bytes;
		now->comms += is_comm;
	}
	if (is_cells)
		keep_dates(&r->results[now->cell->index - 1], m);
	if (is_cells && strcmp(m->type, "status") == 0)
		on_status(now, m, t);
	else if (is_cells && strcmp(m->type, "execute_reply") == 0)
		on_reply(r, m, t);
	else if (is_cells && strcmp(m->type, "input_request") == 0)
		now->input = true;
	else if (is_comm)
		on_comm(r, m);
	else if (cell_outputs_is_type(m->type))
		on_output(r, m);
}

/* ---- running ------------------------------------------------------------------------------- */

static bool
is_over(const struct kernel_cell *now)
{
	return !isnan(now->reply) && !isnan(now->idle_at);
}

/* The kernel has no reply if its code has broken what the reply needs. */
static bool
is_unanswered(const struct kernel_cell *now)
{
	return isnan(now->reply) && clock_unix_s() * 1000 - now->idle_at > NO_REPLY_MS;
}

static bool
has_ended(void *kernel_cells)
{
	const struct kernel_cells *r = kernel_cells;
	return is_over(&r->now) || is_unanswered(&r->now);
}

/* Nobody is there to answer input(). */
static bool
has_stopped(void *kernel_cells)
{
	const struct kernel_cells *r = kernel_cells;
	return has_ended(kernel_cells) || r->now.input;
}

static void
begin_cell(struct kernel_cells *r, const struct notebook_cell *c)
{
	const struct kernel_client *k = &r->client;
	json_decref(r->now.content);
	r->now = (struct kernel_cell){.cell = c, .sent = NAN, .busy = NAN, .idle = NAN,
		.idle_at = NAN, .reply = NAN, .counting = true, .steps = k->clock.steps,
		.drops = k->drops, .unread = k->unread};
}

/* The request is the one that JupyterLab sends. */
static void
send_cell(struct kernel_cells *r)
{
	struct kernel_cell *now = &r->now;
	const struct notebook_cell *c = now->cell;
	json_t *content = json_pack("{s:s, s:b, s:b, s:{}, s:b, s:b}", "code", c->source,
	    "silent", 0, "store_history", 1, "user_expressions", "allow_stdin", 1,
	    "stop_on_error", 1);
	json_t *metadata = json_pack("{s:s, s:b, s:[], s:b}", "cellId", c->id, "trusted", 1,
	    "deletedCells", "recordTiming", 0);
	struct kernel_client *k = &r->client;
	size_t n = kernel_client_send(k, "execute_request", content, metadata, now->id,
	    &now->sent);
	now->out.messages = n > 0;
	now->out.bytes = (json_int_t)n;
	json_object_set_new(r->owners, now->id, json_integer((json_int_t)c->index - 1));
}

json_t *
kernel_cells_run(struct kernel_cells *r, const struct notebook_cell *c, double max_wait_s)
{
	uint64_t end_ns = clock_monotonic_ns() + (uint64_t)(max_wait_s * 1e9);
	struct kernel_cell_result *result = &r->results[c->index - 1];
	begin_cell(r, c);
	if (c->empty)
		return cell_seen(r, "empty");
	result->execution_count = json_null();	/* without a reply */
	send_cell(r);
	kernel_client_wait(&r->client, has_stopped, r, end_ns);
	json_t *seen = cell_seen(r, is_over(&r->now) ? "done" :
	    is_unanswered(&r->now) ? "no_reply" : r->client.lost ? "lost" : "kernel_busy");
	r->now.counting = false;
	return seen;
}

bool
kernel_cells_wait_interrupted(void *kernel_cells)
{
	struct kernel_cells *r = kernel_cells;
	uint64_t end_ns = clock_monotonic_ns() + CELL_FAULT_GRACE_MS * UINT64_C(1000000);
	return kernel_client_wait(&r->client, has_ended, r, end_ns);
}

char *
kernel_cells_open(struct kernel_cells *r, struct server_files *f, const struct notebook *nb,
    uint64_t end_ns)
{
	*r = (struct kernel_cells){.notebook = nb, .owners = json_object(),
		.captures = json_object()};
	r->results = xmalloc(nb->n * sizeof *r->results);
	for (size_t i = 0; i < nb->n; i++)
		r->results[i] = (struct kernel_cell_result){0};
	return kernel_client_open(&r->client, f, end_ns, on_message, r);
}
