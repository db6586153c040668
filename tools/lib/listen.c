/* listen.c: what a person does in a notebook, from the page's events to records.
 * One call at a time waits in the page and returns when there is something to
 * tell; between two calls nothing is lost, since the page keeps it. */
#include "listen.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A signal is dealt with when the call that waits has ended, so it is short. */
enum { NEXT_MS = 1000, LATE_MS = 20, CALL_MS = 30000, PAUSE_MS = 200, MOST_FAULTS = 100 };

struct hearing {
	struct listening *l;
	double life;		/* which page's life `got` counts in */
	size_t got;		/* events of it that were understood */
	json_t *open;		/* serial -> what was told of a cell that is not over */
	json_t *used;		/* serial -> usage of one that another followed */
	json_t *blurred;	/* serials of those that a late reading parts from another */
	json_int_t latest;	/* the serial of the cell that has the kernel; 0: none */
};

static json_t *
serial_key(json_t *map, json_int_t serial, char key[24])
{
	snprintf(key, 24, "%lld", (long long)serial);
	return json_object_get(map, key);
}

/* ---- usage: the readings part the time between the cells -------------------------- */

static void
watch_kernel(struct listening *l, const char *id)
{
	char *its = xstrdup(id), error[256];	/* may be the one that we hold */
	pid_t pid = kernel_pid(its);
	if (l->cores && pid && pin_process(pid, l->cores, error) != 0)
		warn("--cores: %s", error);
	if (l->usage)
		cellusage_close(l->usage);
	free(l->kernel_id);
	l->kernel_id = its;
	l->usage = cellusage_open(l->lab, its, pid);
	cellusage_watches(l->usage, l->put);
}

static void
read_before(struct listening *l)
{
	if (!l->usage)
		return;
	/* One that the person restarted keeps its id. */
	if (cellusage_renewed(l->usage))
		watch_kernel(l, l->kernel_id);
	cellusage_before(l->usage);
	l->read_t = now_t();
}

static void
follow_kernel(struct listening *l, const char *id)
{
	bool same = id && l->kernel_id && strcmp(l->kernel_id, id) == 0;
	if (!id || (same && !(l->usage && cellusage_renewed(l->usage))))
		return;
	if (!same)
		watch_kernel(l, id);
	read_before(l);
}

static json_t *
read_after(struct listening *l)
{
	return l->usage ? cellusage_after(l->usage) : json_null();
}

/* The kernel has gone on to another cell, at t. */
static void
next_begins(struct hearing *h, json_int_t serial, double t)
{
	char key[24];
	if (h->latest) {
		bool late = (now_t() - t) * 1000 > LATE_MS;
		serial_key(h->used, h->latest, key);
		json_object_set_new(h->used, key, read_after(h->l));
		read_before(h->l);
		if (late) {
			json_object_set_new(h->blurred, key, json_true());
			serial_key(h->used, serial, key);
			json_object_set_new(h->blurred, key, json_true());
		}
	}
	h->latest = serial;
}

static json_t *
usage_of(struct hearing *h, json_int_t serial)
{
	char key[24];
	json_t *used = serial_key(h->used, serial, key);
	if (used) {
		json_incref(used);
		json_object_del(h->used, key);
		return used;
	}
	if (serial != h->latest)
		return json_null();	/* it never had the kernel */
	used = read_after(h->l);
	h->latest = 0;
	read_before(h->l);
	return used;
}

/* ---- records -------------------------------------------------------------------- */

static struct cell
cell_of(const json_t *told)
{
	const char *id = json_string_value(json_object_get(told, "id")), *source = json_string_value(json_object_get(told, "source"));
	return (struct cell){.position = (size_t)json_integer_value(json_object_get(told, "position")),
	    .index = (size_t)json_integer_value(json_object_get(told, "index")), .id = id ? id : "",
	    .source = xstrdup(source ? source : ""), .tags = xtags(json_object_get(told, "tags"))};
}

static void
forget_cell(struct cell *c)
{
	free(c->source);
	json_decref(c->tags);
}

static void
put_console(struct hearing *h, const struct cell *c, const json_t *lines)
{
	json_t *line;
	size_t i;
	json_array_foreach(lines, i, line)
		h->l->put(console_record(c, line));
}

/* Listening ended, or the page did, while the cell ran. */
static void
put_cut_off(struct hearing *h, const json_t *told, const char *why)
{
	struct cell c = cell_of(told);
	json_t *r = idle_record(&c, "browser_died", why);
	json_array_append_new(json_object_get(r, "marks"), json_string("cut_off"));
	json_object_set_new(r, "pressed_t", json_t_of(json_real_at(told, "pressed_t")));
	json_object_set_new(r, "sent_t", json_t_of(json_real_at(told, "sent_t")));
	json_object_set(r, "pressed_by", json_object_get(told, "pressedBy"));
	json_object_set_new(r, "usage", usage_of(h, json_integer_value(json_object_get(told, "serial"))));
	h->l->put(r);
	h->l->cells++;
	forget_cell(&c);
}

static void
take_start(struct hearing *h, json_t *event)
{
	json_t *told = json_object_get(event, "cell");
	json_int_t serial = json_integer_value(json_object_get(told, "serial"));
	struct cell c = cell_of(told);
	char key[24];
	follow_kernel(h->l, json_string_value(json_object_get(event, "kernelId")));
	double t = json_number_value(json_object_get(event, "t"));
	if (!json_is_true(json_object_get(event, "queued"))) {
		if (!h->latest && h->l->usage && t < h->l->read_t)
			cellusage_back(h->l->usage);
		next_begins(h, serial, json_number_value(json_object_get(event, "sent_t")));
	}
	json_t *r = cell_start_record(&c);
	json_object_set_new(r, "t", json_t_of(t));
	h->l->put(r);
	serial_key(h->open, serial, key);
	json_object_set(h->open, key, told);
	static const char *const begun[] = {"pressed_t", "sent_t", "pressedBy"};	/* for one that is cut off */
	for (size_t i = 0; i < COUNT(begun); i++)
		json_object_set(told, begun[i], json_object_get(event, begun[i]));
	forget_cell(&c);
}

static void
take_cell(struct hearing *h, json_t *event)
{
	json_t *told = json_object_get(event, "cell"), *seen = json_object_get(event, "seen");
	json_int_t serial = json_integer_value(json_object_get(told, "serial"));
	const char *reply = json_string_value(json_object_get(seen, "replyStatus"));
	struct cell c = cell_of(told);
	char key[24];
	bool aborted = reply && strcmp(reply, "aborted") == 0;
	json_t *used = usage_of(h, serial);
	put_console(h, &c, json_object_get(seen, "console"));
	json_t *r = aborted ? idle_record(&c, "not_run", "the kernel aborted it after the error of a cell before it") : cell_record(&c, seen);
	json_t *sent = json_object_get(r, "sent_t");
	if (json_is_null(json_object_get(r, "pressed_t")) && json_is_number(sent))
		json_object_set(r, "t", sent);
	if (outcome_is(seen, "kernel_busy")) {
		json_object_set_new(r, "reason", json_string("listening ended while the kernel was busy with it"));
		json_array_append_new(json_object_get(r, "marks"), json_string("cut_off"));
	}
	json_object_set(r, "pressed_by", json_object_get(event, "pressedBy"));
	if (serial_key(h->blurred, serial, key) && !aborted)
		json_array_append_new(json_object_get(r, "marks"), json_string("usage_blurred"));
	json_object_set_new(r, "usage", aborted ? json_null() : json_incref(used));
	h->l->put(r);
	h->l->cells++;
	json_object_del(h->blurred, key);
	json_object_del(h->open, key);
	json_decref(used);
	forget_cell(&c);
}

static void
take_interaction(struct hearing *h, json_t *event)
{
	const struct cell none = {0};
	json_t *record = json_object_get(event, "record"), *line, *console = json_object_get(event, "console");
	size_t i;
	json_array_foreach(console, i, line)
		json_object_set_new(line, "in_cell", json_false());
	put_console(h, &none, console);
	/* Drivers sort what they pass on. */
	json_t *r = json_pack("{s:s, s:O, s:O, s:O, s:O, s:O}", "type", "interaction", "t", json_object_get(record, "t"),
	    "input", json_object_get(record, "input"), "inputs", json_object_get(record, "inputs"),
	    "status", json_object_get(record, "status"), "element", json_object_get(record, "element"));
	json_object_update(r, record);
	h->l->put(r);
}

static void
take_name(struct listening *l, const char *path)
{
	if (!path)
		return;
	free(l->renamed);
	l->path = l->renamed = xstrdup(path);
}

static void
take(struct hearing *h, json_t *event, bool last)
{
	const char *what = json_string_value(json_object_get(event, "what"));
	if (strcmp(what, "start") == 0)
		take_start(h, event);
	else if (strcmp(what, "begin") == 0)
		next_begins(h, json_integer_value(json_object_get(event, "serial")), json_number_value(json_object_get(event, "t")));
	else if (strcmp(what, "cell") == 0)
		take_cell(h, event);
	else if (strcmp(what, "interaction") == 0)
		take_interaction(h, event);
	else if (strcmp(what, "soon") == 0 && last && !h->latest)
		read_before(h->l);
	else if (strcmp(what, "renamed") == 0)
		take_name(h->l, json_string_value(json_object_get(event, "path")));
	else if (strcmp(what, "server_side") == 0)
		h->l->put(fault_record("server_side", "server-side execution (jupyter-server-nbmodel): the page sends no execute_request, so its cells are not seen"));
}

/* ---- the page --------------------------------------------------------------------- */

static void
take_all(struct hearing *h, const json_t *answer)
{
	json_t *events = json_object_get(answer, "events"), *event;
	double life = json_number_value(json_object_get(answer, "life"));
	size_t i, n = json_array_size(events);
	if (life != h->life && json_object_size(h->open) > 0) {
		const char *key;
		json_t *told;
		void *next;
		json_object_foreach_safe(h->open, next, key, told)
			put_cut_off(h, told, "the page was loaded again before the cell was over");
		json_object_clear(h->open);
	}
	h->got = life == h->life ? h->got + n : n;
	h->life = life;
	json_array_foreach(events, i, event)
		take(h, event, i == n - 1);
	/* At rest the readings stay fresh: what lies before a cell is not the cell's. */
	if (n == 0 && !h->latest)
		read_before(h->l);
}

/* Scripts know when they are there already. */
static int
inject(struct listening *l)
{
	json_t *done = page_inject(l->wd) == 0 ? wd_script(l->wd, page_listen_js, NULL, CALL_MS) : NULL;
	json_decref(done);
	return done && (!l->o->selector || page_selector(l->wd, l->o->selector) == 0) ? 0 : -1;
}

static json_t *
next(struct hearing *h)
{
	const struct listening *l = h->l;
	json_t *opts = json_pack("{s:s, s:I, s:f, s:s?, s:b}", "wait", l->o->wait, "quietMs", (json_int_t)l->o->quiet_ms,
	    "maxWaitMs", l->o->max_wait_s * 1000, "path", l->path, "save", l->save);
	json_t *args = json_pack("[o, f, I, i]", opts, h->life, (json_int_t)h->got, NEXT_MS);
	json_t *answer = wd_async(l->wd, "const done = arguments[arguments.length - 1];"
	    "if (!window.__nbscopeListen) done(null);"
	    "else window.__nbscopeListen.next(...[...arguments].slice(0, 4)).then(done, e => done({fault: String(e)}))", args, 2 * CALL_MS);
	json_decref(args);
	return answer;
}

/* Has the tab or the browser gone?  Then the person has closed it, or it broke. */
static bool
has_gone(struct listening *l)
{
	static const char *const codes[] = {"no such window", "invalid session id", "no answer"};
	static const char *const words[] = {"disconnected", "not reachable", "not connected", "already closed", "crashed"};
	bool gone = false;
	for (size_t i = 0; i < COUNT(codes); i++)
		gone = gone || strcmp(l->wd->code, codes[i]) == 0;
	for (size_t i = 0; i < COUNT(words); i++)
		gone = gone || strstr(l->wd->message, words[i]);
	if (!gone)
		return false;
	bool crashed = strstr(l->wd->message, "crashed");
	l->gone = true;
	l->status = crashed ? "browser_died" : "completed";
	l->reason = xstrdup(crashed ? "the tab crashed" : strcmp(l->wd->code, "no such window") == 0 ? "the tab was closed" : "the browser was closed");
	return true;
}

/* Until it ends: false when the page stays but cannot be heard. */
static bool
hear(struct hearing *h)
{
	struct listening *l = h->l;
	int faults = 0;
	while (!http_stop && faults < MOST_FAULTS) {
		json_t *answer = next(h);
		if (http_stop || (!answer && has_gone(l))) {
			json_decref(answer);
			return true;
		}
		if (json_is_object(answer) && !json_object_get(answer, "fault")) {
			take_all(h, answer);
			faults = 0;
			/* Restarted: before its first cell, if the person leaves us a second. */
			if (!h->latest && l->usage && cellusage_renewed(l->usage))
				read_before(l);
		} else if (answer) {
			/* Another page: its load may not be over. */
			faults++;
			if (inject(l) != 0)
				pause_ms(PAUSE_MS);
		} else if (strcmp(l->wd->code, "unexpected alert open") == 0) {
			pause_ms(PAUSE_MS);	/* the person answers it */
		} else {
			faults++;
			pause_ms(PAUSE_MS);
		}
		json_decref(answer);
	}
	return http_stop;
}

/* SIGINT: what is not over is told as it is. */
static void
stop(struct hearing *h)
{
	struct listening *l = h->l;
	int sig = http_stop;
	if (sig != SIGINT)
		return;
	signal(SIGINT, SIG_IGN);	/* a holder passes on what the terminal sent too */
	http_stop = 0;
	l->status = "completed";
	l->reason = xstrdup("interrupted");
	json_t *args = json_pack("[f, I]", h->life, (json_int_t)h->got), *event;
	json_t *answer = wd_script(l->wd, "return window.__nbscopeListen ? window.__nbscopeListen.end(...arguments) : null", args, CALL_MS);
	size_t i;
	json_array_foreach(json_object_get(answer, "events"), i, event)
		take(h, event, false);
	l->gone = !answer;
	json_decref(args);
	json_decref(answer);
}

void
listen_run(struct listening *l)
{
	struct hearing h = {.l = l, .open = json_object(), .used = json_object(), .blurred = json_object()};
	const char *key;
	json_t *told;
	if (l->usage)
		read_before(l);
	if (!hear(&h)) {
		l->status = "browser_died";
		l->reason = xasprintf("the page cannot be heard: %s", l->wd->message ? l->wd->message : "its scripts fail");
	}
	if (http_stop)
		stop(&h);
	json_object_foreach(h.open, key, told)
		put_cut_off(&h, told, l->reason);
	json_decref(h.open);
	json_decref(h.used);
	json_decref(h.blurred);
}

json_t *
listen_executed(struct listening *l)
{
	json_t *nb = l->gone ? NULL : wd_script(l->wd, "return window.__nbscopeListen ? window.__nbscopeListen.executed() : null", NULL, CALL_MS);
	if (json_is_object(nb))
		return nb;
	json_decref(nb);
	return NULL;
}

void
listen_free(struct listening *l)
{
	if (l->usage)
		cellusage_close(l->usage);
	free(l->kernel_id);
	free(l->renamed);
	free(l->reason);
}
