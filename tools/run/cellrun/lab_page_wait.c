/* lab_page_wait.c: waits until a cell that runs in the page has ended. */
#include "lab_page_wait.h"
#include "base/clock.h"
#include "base/die.h"
#include "browser/session_variables.h"
#include "record/cell_record.h"

#include <limits.h>

enum {
	PRESS_MS = 5000, CALL_MS = 30000, MIN_SLACK_MS = 3000, MAX_SLACK_MS = 15000,
	SLACK_PARTS = 20, ANSWER_SLACK_MS = 2000, MAX_DIALOGS = 100, PART_MS = 10000,
};

#define WAIT "(window.__nbscopeKernel ? window.__nbscopeKernel.wait(arguments[0]) : " \
	"Promise.resolve({outcome: 'other_page'}))" \
	".catch(e => ({outcome: 'script_error', fault: String(e)}))"
#define START_WAIT "window.__nbscopeAnswer = null; " \
	WAIT ".then(a => { window.__nbscopeAnswer = a; }); return null"

/* Leaves the browser free for other calls in between; json_null() at the limit. */
static json_t *
wait_meanwhile(struct wd *w, void (*meanwhile)(void), json_t *args, long limit_ms)
{
	uint64_t end_ns = clock_monotonic_ns() + (uint64_t)limit_ms * 1000000u;
	json_t *answer = wd_script(w, START_WAIT, json_incref(args), CALL_MS);
	while (json_is_null(answer) && clock_monotonic_ns() < end_ns && !http_stop) {
		meanwhile();
		answer = wd_script(w, "return window.__nbscopeAnswer", NULL, CALL_MS);
	}
	return answer;
}

/* Leaving the page ends the script, which the driver reports at once, as if its time were
 * over. */
static bool
page_was_left(const struct wd *w, const json_t *answer, uint64_t end_ns)
{
	if (answer || clock_monotonic_ns() >= end_ns)
		return false;
	return strcmp(w->code, "script timeout") == 0 || strcmp(w->code, "javascript error") == 0;
}

/* A page that is drawing reports late that its limit is reached: after minutes, a record with
 * numbers is worth some seconds more. */
static long
slack_ms(long limit_ms)
{
	long ms = MIN_SLACK_MS + limit_ms / SLACK_PARTS;
	return ms < MAX_SLACK_MS ? ms : MAX_SLACK_MS;
}

static void
set_script_timeout(struct wd *w, long ms)
{
	static long set_ms;
	if (set_ms != ms)
		wd_do(w, "POST", "timeouts", json_pack("{s:I}", "script", (json_int_t)ms), CALL_MS);
	set_ms = ms;
}

/* A Selenium Grid ends a session that has no call for some minutes, and a call that takes as long:
 * calls of seconds wait for one answer.  The last one fails by the script's limit. */
#define WAIT_PART \
	"if (arguments[1] || !window.__nbscopeWait) window.__nbscopeWait = " WAIT ";" \
	"const {setTimeout} = (window.__nbscopeScheduled || {real: window}).real;" \
	"Promise.race([window.__nbscopeWait, new Promise(r => setTimeout(r, arguments[2], " \
	"{outcome: 'part'}))]).then(done)"

static json_t *
wait_in_parts(struct wd *w, const json_t *wait, uint64_t end_ns, long limit_ms)
{
	json_t *answer = NULL;
	do {
		bool last = clock_monotonic_ns() >= end_ns;
		if (last)
			set_script_timeout(w, MIN_SLACK_MS);
		json_t *args = json_pack("[O, b, i]", json_array_get(wait, 0), !answer,
		    last ? INT_MAX : PART_MS);
		json_decref(answer);
		answer = wd_script_async(w, WAIT_PART, args, limit_ms);
	} while (cell_record_outcome_is(answer, "part") && !http_stop);
	return answer;
}

json_t *
lab_page_wait(struct wd *w, const struct lab_page_wait *c)
{
	static const char *const viz[] = {"no", "yes", "auto"};
	json_t *next = !c->next ? json_null() : json_pack("{s:s, s:I, s:b}", "id", c->next->id,
	    "position", (json_int_t)c->next->position, "asks", c->next_asks);
	json_t *args = json_pack("[{s:o, s:I, s:b, s:s, s:I, s:f, s:I}]", "next", next,
	    "pressMs", (json_int_t)(c->press_ms ? c->press_ms : PRESS_MS), "empty", c->empty,
	    "waitViz", viz[c->viz], "settleMs", (json_int_t)c->settle_ms,
	    "maxWaitMs", c->max_wait_ms, "graceMs", (json_int_t)c->grace_ms), *answer;
	long limit_ms = c->grace_ms ? c->grace_ms : (long)c->max_wait_ms;
	long ms = limit_ms + slack_ms(limit_ms), answer_ms = ms + ANSWER_SLACK_MS;
	int tries = 0;
	set_script_timeout(w, ms);
	uint64_t end_ns = clock_monotonic_ns() + (uint64_t)ms * 1000000u;
	/* A dialog ends the script's call with null; the page's state stays. */
	do
		if (c->meanwhile)
			answer = wait_meanwhile(w, c->meanwhile, args, answer_ms);
		else if (session_variables_is_remote())
			answer = wait_in_parts(w, args, end_ns, answer_ms);
		else
			answer = wd_script_async(w, WAIT ".then(done)", json_incref(args),
			    answer_ms);
	while ((json_is_null(answer) || page_was_left(w, answer, end_ns)) &&
	    ++tries < MAX_DIALOGS);
	json_decref(args);
	return answer;
}
