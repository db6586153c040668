/* cell_run.c: runs one cell, and finds out what happened if it did not end. */
#include "cell_run.h"
#include "added_time.h"
#include "arrival.h"
#include "base/clock.h"
#include "base/die.h"
#include "cell_record.h"
#include "json/json_value.h"
#include "kernel_state.h"
#include "lab_page.h"
#include "run/role.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MIN_SUSPENDED_S 0.05
#define BUSY_SHARE 0.5

enum { INTERRUPT_GRACE_MS = 700, ARRIVING_MS = 2000 };

/* For the callbacks, which have no argument. */
static struct cell_usage *current_usage;
static struct filmstrip *current_film;
static const char *current_url;	/* of the server */

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

static void
set_server_lost(json_t *seen, const char *why)
{
	json_object_set_new(seen, "outcome", json_string("lost"));
	json_object_set_new(seen, "lost", json_pack("{s:s, s:s, s:O}",
	    "what", role_word(ROLE_SERVER), "state", why, "t", json_object_get(seen, "end")));
}

/* A cell at its limit.  The page knows only that no answer came.  The server can say whether the
 * kernel, the connection or the server itself is the reason. */
static void
on_limit(struct session *s, json_t *seen, struct lab_page_wait *wait)
{
	char *state = kernel_state_get(s->lab, s->files.kernel_id);
	bool idle = state && strcmp(state, "idle") == 0;
	if (!state) {
		char *why = xasprintf("the server does not answer: %s", s->lab->error);
		set_server_lost(seen, why);
		free(why);
	} else if (idle && json_value_real_at(seen, "sinceHeard") < ARRIVING_MS) {
		json_object_set_new(seen, "late", json_true());
	} else if (idle) {
		set_server_lost(seen, "the server reports that the kernel is idle, but its reply "
		    "did not arrive: the connection is stalled");
	} else if (server_files_interrupt(&s->files) == 0) {
		/* The cell's time is the limit, not the end of the interrupted cell. */
		wait->grace_ms = INTERRUPT_GRACE_MS;
		wait->viz = VIZ_NO;
		wait->next = NULL;
		json_t *after = lab_page_wait(s->wd, wait);
		bool obeyed = after && !lab_page_outcome_is(after, "kernel_busy");
		json_object_set_new(seen, "interrupted", json_boolean(obeyed));
		json_decref(after);
	}
	free(state);
}

/* The browser did not answer in time.  A page that computed the whole time could not, because of
 * its cell; a browser that hangs neither uses a processor nor waits for one. */
static bool
is_page_busy(const struct session *s, const json_t *used, double elapsed_s)
{
	const json_t *browser = json_object_get(used, role_word(ROLE_BROWSER));
	double cpu_s = json_value_real_at(browser, "cpu_s");
	double queued_s = fmax(json_value_real_at(browser, "run_queue_wait_s"), 0);
	return elapsed_s >= s->options.max_wait_s && cpu_s + queued_s >= BUSY_SHARE * elapsed_s;
}

static bool
is_kernel_lost(const json_t *seen)
{
	const json_t *lost = json_object_get(seen, "lost");
	const char *what = json_string_value(json_object_get(lost, "what"));
	return lab_page_outcome_is(seen, "lost") && what && role_of(what) == ROLE_KERNEL;
}

/* ---- suspended processes --------------------------------------------------------------- */

/* SIGCONT says that this process was stopped.  A machine that was suspended sends no signal, but
 * CLOCK_MONOTONIC does not count that time. */
static volatile sig_atomic_t continued;

static void
on_continue(int sig)
{
	(void)sig;
	continued++;
}

void
cell_run_catch_continue(void)
{
	struct sigaction action = {.sa_handler = on_continue, .sa_flags = SA_RESTART};
	sigaction(SIGCONT, &action, NULL);
}

static double
suspended_s(void)
{
	struct timespec boot, mono;
	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	return (double)(boot.tv_sec - mono.tv_sec) + (double)(boot.tv_nsec - mono.tv_nsec) / 1e9;
}

/* The record of a cell for which the browser gave no answer. */
static json_t *
unanswered_record(const struct session *s, const struct notebook_cell *c, const json_t *used,
    double elapsed_s, const char *error)
{
	if (is_page_busy(s, used, elapsed_s))
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
	bool first = c->index == 1, last = c->index == nb->n;
	struct lab_page_wait wait = {
		.viz = choose_wait(s->options.wait, nb, c), .empty = c->empty, .first = first,
		.next = last ? NULL : c + 1, .settle_ms = s->options.settle_ms,
		.max_wait_ms = s->options.max_wait_s * 1000, .before_press = before_press,
		.meanwhile = film ? add_frame : NULL,
	};
	char *error = NULL;
	unsigned alerts = s->wd->alerts;
	int continued_before = continued;
	double suspended_before_s = suspended_s(), start_s = (double)clock_monotonic_ns() / 1e9;
	current_usage = s->usage;
	current_film = film;
	current_url = s->lab->url;
	xrun_record_write(cell_record_start(c));
	if (film)
		filmstrip_begin(film, c);
	size_t from = first ? 0 : (c - 1)->position;
	json_t *seen = lab_page_run(s->wd, from, c, &wait, &error);
	double answered_t = clock_unix_s();
	json_t *used = cell_usage_after(s->usage);
	arrival_end(seen);
	session_stop_if_signalled();
	if (lab_page_outcome_is(seen, "kernel_busy"))
		on_limit(s, seen, &wait);
	if (is_kernel_lost(seen)) {
		const json_t *kernel = json_object_get(used, role_word(ROLE_KERNEL));
		json_object_set_new(seen, "kernelEnd",
		    kernel_state_end(s->lab, s->files.kernel_id, kernel));
	}
	json_t *line;
	size_t i;
	json_array_foreach(json_object_get(seen, "console"), i, line)
		xrun_record_write(cell_record_console(c, line));
	s->page_answers = seen && !lab_page_outcome_is(seen, "page_fault");
	double elapsed_s = (double)clock_monotonic_ns() / 1e9 - start_s;
	json_t *record = seen ? cell_record(c, seen) :
	    unanswered_record(s, c, used, elapsed_s, error);
	subtract_questions(used, seen);
	json_object_set_new(record, "usage", used);
	if (film)
		finish_film(film, seen, s->page_answers, record);
	if (s->wd->alerts > alerts)
		cell_record_mark(record, "alert");
	bool was_suspended = suspended_s() - suspended_before_s > MIN_SUSPENDED_S;
	if (continued != continued_before || was_suspended)
		cell_record_mark(record, "suspended");
	json_object_set_new(record, "added", added_time(seen, answered_t));
	json_decref(seen);
	free(error);
	return record;
}

