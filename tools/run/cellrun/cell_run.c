/* cell_run.c: runs one cell, and finds out what happened if it did not end. */
#include "cell_run.h"
#include "added_time.h"
#include "base/clock.h"
#include "base/die.h"
#include "browser/session_variables.h"
#include "json/json_value.h"
#include "lab_page.h"
#include "notebook/run_options.h"
#include "page/arrival.h"
#include "record/apart_record.h"
#include "record/cell_fault.h"
#include "record/cell_record.h"
#include "record/run_signals.h"
#include "record/suspension.h"
#include "run/role.h"

#define BUSY_SHARE 0.5

/* For the callbacks, which have no argument. */
static struct cell_usage *current_usage;
static struct filmstrip *current_film;
static const char *current_url;	/* of the server; NULL: of no use here */

static enum lab_page_viz
choose_wait(const char *which, const struct notebook *nb, const struct notebook_cell *c)
{
	bool tagged = false;
	for (size_t i = 0; i < nb->n; i++)
		tagged = tagged || notebook_cell_has_tag(&nb->cells[i], "wait_for_viz");
	if (strcmp(which, "none") == 0)
		return VIZ_NO;
	if (tagged || strcmp(which, "tags") == 0)
		return notebook_cell_has_tag(c, "wait_for_viz") ? VIZ_YES : VIZ_NO;
	return VIZ_AUTO;
}

bool
cell_run_asks(const struct notebook *nb, const struct notebook_cell *c)
{
	return choose_wait(run_options.wait, nb, c) != VIZ_NO;
}

static void
before_press(void)
{
	cell_usage_before(current_usage);
	arrival_begin(current_url);
}

static void
add_frame(void)
{
	filmstrip_add_frame(current_film);
}

struct limited_cell {
	struct session *session;
	struct lab_page_wait *wait;
};

/* After an interrupt. */
static bool
has_ended(void *arg)
{
	struct limited_cell *l = arg;
	l->wait->grace_ms = CELL_FAULT_GRACE_MS;
	l->wait->viz = VIZ_NO;
	l->wait->next = NULL;
	json_t *after = lab_page_wait(l->session->wd, l->wait);
	bool ended = after && !cell_record_outcome_is(after, "kernel_busy");
	json_decref(after);
	return ended;
}

/* The browser did not answer in time.  A page that computed the whole time could not, because of
 * its cell; a browser that hangs neither uses a processor nor waits for one. */
static bool
is_page_busy(const json_t *used, double elapsed_s)
{
	const json_t *browser = json_object_get(used, role_word(ROLE_BROWSER));
	double cpu_s = json_value_real_at(browser, "cpu_s");
	double queued_s = fmax(json_value_real_at(browser, "run_queue_wait_s"), 0);
	return elapsed_s >= run_options.max_wait_s && cpu_s + queued_s >= BUSY_SHARE * elapsed_s;
}

/* The record of a cell for which the browser gave no answer. */
static json_t *
unanswered_record(const struct notebook_cell *c, const json_t *used, double elapsed_s,
    const char *error)
{
	if (is_page_busy(used, elapsed_s))
		return cell_record_unmeasured(c, CELL_TIMED_OUT,
		    "the page was busy the whole time and did not answer");
	return cell_record_unmeasured(c, CELL_BROWSER_DIED, error);
}

/* What our questions in the kernel used is not the cell's. */
static void
subtract_questions(json_t *used, const json_t *seen)
{
	json_t *kernel = json_object_get(used, role_word(ROLE_KERNEL));
	double cpu_s = json_value_real_at(kernel, "cpu_s");
	double own_s = json_value_real_at(seen, "questionMs") / 1000;
	if (!isnan(cpu_s) && own_s > 0)
		json_object_set_new(kernel, "cpu_s", json_real(fmax(cpu_s - own_s, 0)));
	else if (own_s > 0)
		json_object_set_new(kernel, "questions_cpu_s", json_real(own_s));
}

static void
finish_film(struct filmstrip *film, json_t *seen, bool page_answers, json_t *record)
{
	bool changed = json_is_true(json_object_get(seen, "changed"));
	json_t *frames = page_answers ? filmstrip_end(film, changed) : NULL;
	if (frames)
		xrun_record_write(frames);
	cell_record_mark(record, "filmed");
}

json_t *
cell_run(struct session *s, struct filmstrip *film, const struct notebook *nb,
    const struct notebook_cell *c)
{
	bool first = c == nb->cells, last = c == nb->cells + nb->n - 1;
	struct lab_page_wait wait = {
		.viz = choose_wait(run_options.wait, nb, c), .empty = c->empty, .first = first,
		.next = last ? NULL : c + 1, .next_asks = !last && cell_run_asks(nb, c + 1),
		.settle_ms = run_options.settle_ms, .max_wait_ms = run_options.max_wait_s * 1000,
		.before_press = before_press, .meanwhile = film ? add_frame : NULL,
	};
	char *error = NULL;
	unsigned alerts = s->wd->alerts;
	struct suspension before = suspension_now();
	double start_s = (double)clock_monotonic_ns() / 1e9;
	current_usage = s->usage;
	current_film = film;
	/* What another machine receives, only its own system knows. */
	current_url = session_variables_is_elsewhere() ? NULL : s->lab->url;
	xrun_record_write(cell_record_start(c));
	if (film)
		filmstrip_begin(film, c);
	size_t from = first ? 0 : (c - 1)->position;
	json_t *seen = lab_page_run(s->wd, from, c, &wait, &error);
	double answered_t = clock_unix_s();
	json_t *used = cell_usage_after(s->usage);
	arrival_end(seen);
	run_signals_stop();
	if (cell_record_outcome_is(seen, "kernel_busy"))
		cell_fault_at_limit(&s->files, seen, has_ended,
		    &(struct limited_cell){.session = s, .wait = &wait});
	cell_fault_kernel(&s->files, seen, used);
	apart_record_write(c, seen);
	json_t *line;
	size_t i;
	json_array_foreach(json_object_get(seen, "console"), i, line)
		xrun_record_write(cell_record_console(c, line));
	s->page_answers = seen && !cell_record_outcome_is(seen, "page_fault");
	double elapsed_s = (double)clock_monotonic_ns() / 1e9 - start_s;
	json_t *record = seen ? cell_record(c, seen) :
	    unanswered_record(c, used, elapsed_s, error);
	subtract_questions(used, seen);
	json_object_set_new(record, "usage", used);
	if (film)
		finish_film(film, seen, s->page_answers, record);
	if (s->wd->alerts > alerts)
		cell_record_mark(record, "alert");
	if (suspension_since(before))
		cell_record_mark(record, "suspended");
	json_object_set_new(record, "added", added_time(seen, answered_t));
	json_decref(seen);
	free(error);
	return record;
}

