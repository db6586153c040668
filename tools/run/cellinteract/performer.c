/* performer.c: performs gestures in the page of a driver, and has their records written. */
#include "performer.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/str.h"
#include "browser/page_script.h"
#include "browser/session_variables.h"
#include "gesture_film.h"
#include "hook/hook_driver.h"
#include "input_dispatch.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "kernel/kernel_process.h"
#include "record/cell_record.h"
#include "record/cell_usage.h"
#include "record/interaction_record.h"
#include "run/role.h"
#include "text/base64.h"

enum { OPEN_MS = 15000, CALL_MS = 30000, SLACK_MS = 15000, FRAME_MS = 5000, SCROLLED_PX = 2 };

struct performer {
	struct wd *wd;
	struct devtools *devtools;	/* NULL: the browser has none */
	struct cell_usage *usage;
	json_int_t settle_ms, max_wait_ms;
	const char *screenshots, *pace;
	const char *film;	/* NULL: none, or the browser has no DevTools */
	char *gone;		/* why no other gesture can be performed; NULL: it can */
	bool dialog;		/* one was open, and has been closed */
};

/* ---- the page ----------------------------------------------------------------------------- */

/* A dialog would stop the page, and all that is called in it. */
static void
on_event(void *arg, const char *method, const json_t *params)
{
	struct performer *p = arg;
	gesture_film_receive(p->devtools, method, params);
	if (strcmp(method, "Page.javascriptDialogOpening") != 0)
		return;
	p->dialog = true;
	devtools_send(p->devtools, "Page.handleJavaScriptDialog", json_pack("{s:b}", "accept", 0));
}

/* The value of an expression, or of its promise; NULL and *why. */
static json_t *
ask_page(struct performer *p, const char *expression, long limit_ms, char **why)
{
	char *whole = xasprintf("Promise.resolve().then(() => %s)"
	    ".then(value => ({value}), e => ({fault: String(e)}))", expression);
	json_t *result, *answer, *value;
	if (p->devtools) {
		result = devtools_call(p->devtools, "Runtime.evaluate", json_pack("{s:s, s:b, s:b}",
		    "expression", whole, "awaitPromise", 1, "returnByValue", 1), limit_ms, why);
		answer = json_incref(json_object_get(json_object_get(result, "result"), "value"));
		json_decref(result);
	} else {
		char *script = xasprintf("%s.then(done)", whole);
		answer = wd_script_async(p->wd, script, NULL, limit_ms);
		if (!answer)
			*why = wd_error(p->wd);
		free(script);
	}
	const char *fault = json_string_value(json_object_get(answer, "fault"));
	value = answer && !fault ? json_incref(json_object_get(answer, "value")) : NULL;
	if (!value && answer && !fault)
		value = json_null();
	if (!value && !*why)
		*why = xstrdup(fault ? fault : "the page does not answer");
	json_decref(answer);
	free(whole);
	return value;
}

/* With one argument. */
static json_t *
call_page(struct performer *p, const char *function, json_t *arg, long limit_ms, char **why)
{
	char *text = json_text_of(arg);
	char *expression = xasprintf("window.__nbscope%s(...%s)", function, text);
	json_t *value = ask_page(p, expression, limit_ms, why);
	json_decref(arg);
	free(text);
	free(expression);
	return value;
}

/* Where the element is; NULL and *why. */
static json_t *
find_element(struct performer *p, const struct interaction *g, const struct notebook_cell *c,
    char **why)
{
	char *script = page_script_protected(page_element_js);
	char *block = xasprintf("{%s\nwindow.__nbscopeNotebook.remember()}", script);
	json_t *on = json_object_get(g->source.root, "on"), *at = json_object_get(g->kind, "at");
	if (at && !json_object_get(on, "at"))
		json_object_set(on, "at", at);
	json_t *loaded = ask_page(p, block, CALL_MS, why), *place = !loaded ? NULL :
	    call_page(p, "Element.place", json_pack("[O, I]", on, (json_int_t)c->position),
	    CALL_MS, why);
	const char *status = json_string_value(json_object_get(place, "status"));
	const char *reason = json_string_value(json_object_get(place, "reason"));
	if (place && !str_same(status, "found"))
		*why = xstrdup(reason ? reason : "the element was not found");
	json_decref(loaded);
	free(script);
	free(block);
	if (!*why)
		return place;
	json_decref(place);
	return NULL;
}

/* ---- dispatching -------------------------------------------------------------------------- */

/* At the recorded instants, or each when the page has shown the one before.  Moves of a mouse come
 * once for each of the page's frames, the latest alone; those from DevTools would come at once, one
 * after the other, and leave a slow page no time for frames. */
static char *
dispatch(struct performer *p, const struct interaction *g, const struct gesture_inputs *all,
    bool fast)
{
	uint64_t start_ns = clock_monotonic_ns(), at_ns;
	char *why = NULL;
	if (!p->devtools)
		return input_dispatch_actions(p->wd, g, all) == 0 ? NULL : wd_error(p->wd);
	for (size_t i = 0; i < all->n && !why; i++) {
		struct gesture_input *input = &all->v[i], *next = input + 1;
		bool moves = input->what == INPUT_MOVE || input->what == INPUT_TURN;
		at_ns = start_ns + (uint64_t)(input->ms * 1e6);
		while (!fast && clock_monotonic_ns() < at_ns && !devtools_gone(p->devtools))
			devtools_turn(p->devtools, at_ns);
		if (!fast && moves && i + 1 < all->n && next->what == input->what &&
		    start_ns + (uint64_t)(next->ms * 1e6) <= clock_monotonic_ns()) {
			next->dx += input->dx;
			next->dy += input->dy;
			continue;
		}
		input_dispatch(p->devtools, g, input, fast || moves, &why);
		if ((fast || moves) && !why)
			json_decref(ask_page(p, "window.__nbscopeWatch.frame()", FRAME_MS, &why));
	}
	return why;
}

/* A person's pointer is there, and the keyboard's focus, before the first input. */
static char *
aim(struct performer *p, const struct interaction *g, const struct gesture_inputs *all)
{
	struct gesture_input move = {.what = INPUT_MOVE, .at = all->v[0].at};
	struct gesture_inputs there = {.v = &move, .n = 1};
	char *why = NULL;
	if (all->v[0].what != INPUT_MOVE && p->devtools)
		input_dispatch(p->devtools, g, &move, true, &why);
	else if (all->v[0].what != INPUT_MOVE && input_dispatch_actions(p->wd, g, &there) != 0)
		why = wd_error(p->wd);
	if (all->v[0].what == INPUT_KEY && !why) {
		json_t *focused = ask_page(p, "window.__nbscopeElement.focus()", CALL_MS, &why);
		if (!why && !json_is_true(focused))
			why = xstrdup("the element cannot have the keyboard focus");
		json_decref(focused);
	}
	if (!why)
		json_decref(ask_page(p, "window.__nbscopeWatch.frame()", FRAME_MS, &why));
	return why;
}

/* Inputs that only scrolled the notebook did not do what they were for. NULL: they did. */
static char *
find_scroll(struct performer *p)
{
	char *why = NULL;
	json_t *moved = ask_page(p, "window.__nbscopeElement.moved()", CALL_MS, &why);
	double scrolled = json_value_real_at(moved, "scrolled"), y = json_value_real_at(moved, "y");
	json_decref(moved);
	free(why);
	return fabs(y) > SCROLLED_PX && scrolled != 0 ?
	    xasprintf("the notebook scrolled by %g px under the pointer", scrolled) : NULL;
}

/* ---- records ------------------------------------------------------------------------------ */

static json_t *
empty_record(const struct interaction *g, enum cell_status status, const char *why)
{
	return json_pack("{s:n, s:s, s:i, s:s, s:s, s:[]}", "t", "input",
	    interaction_text(g, "input"), "inputs", 0, "status", cell_status_word(status),
	    "reason", why, "marks");
}

/* Takes the members, which the page has measured, or that are all that is known. */
static void
write_records(const struct interaction *g, const struct notebook_cell *c, json_t *record,
    const json_t *seen, const char *pace)
{
	size_t i;
	json_t *line, *answer = json_pack("{s:o, s:O?}", "record", record, "steps",
	    json_object_get(seen, "steps"));
	json_array_foreach(json_object_get(seen, "console"), i, line) {
		json_object_set_new(line, "in_cell", json_false());
		hook_driver_write(cell_record_console(c, line));
	}
	char *name = interaction_name(g);
	interaction_record_write(answer, (json_int_t)g->number, json_pack(
	    "{s:s, s:I, s:s, s:s, s:s*}", "name", name, "cell_index", (json_int_t)c->index,
	    "cell_id", c->id, "gesture", interaction_text(g, "gesture"), "pace", pace),
	    hook_driver_write);
	free(name);
	json_decref(answer);
}

static char *
take_screenshot(const struct performer *p, const struct interaction *g)
{
	char *path = xasprintf("%s/interaction-%03zu.png", p->screenshots, g->number);
	json_t *png = wd_call(p->wd, "GET", "screenshot", NULL, CALL_MS);
	bool saved = png && xbase64_write_file(path, json_string_value(png));
	char *name = saved ? xstrdup(strrchr(path, '/') + 1) : NULL;
	json_decref(png);
	free(path);
	return name;
}

/* ---- performing --------------------------------------------------------------------------- */

static json_t *
question_of(const char *type, const struct interaction *g, const struct notebook_cell *c,
    const char *status)
{
	char *name = interaction_name(g);
	json_t *question = json_pack("{s:s, s:I, s:I, s:s, s:s*}", "type", type, "cell",
	    (json_int_t)c->index, "interaction", (json_int_t)g->number, "gesture", name,
	    "status", status);
	free(name);
	return question;
}

/* What the page saw of the inputs; NULL: it does not say. *why: what went wrong. */
static json_t *
measure(struct performer *p, const struct interaction *g, const struct gesture_inputs *all,
    bool fast, char **why)
{
	json_int_t limit_ms = (json_int_t)interaction_number(g, "limit_ms", (double)p->max_wait_ms);
	json_t *begun = call_page(p, "Gesture.begin", json_pack("[{s:I, s:I, s:s}]", "settleMs",
	    p->settle_ms, "maxWaitMs", limit_ms, "kind", interaction_text(g, "input")), CALL_MS,
	    why), *seen = NULL;
	char *failed = begun ? dispatch(p, g, all, fast) : NULL;
	if (begun)
		seen = call_page(p, "Gesture.end", json_pack("[{s:I}]", "inputs",
		    (json_int_t)all->counted), (long)limit_ms + SLACK_MS, why);
	const char *fault = json_string_value(json_object_get(seen, "fault"));
	if (fault)
		*why = xstrdup(fault);
	else if (seen && !failed && all->v[0].what != INPUT_KEY)
		failed = find_scroll(p);
	if (failed) {
		free(*why);
		*why = failed;
	}
	json_decref(begun);
	return seen;
}

/* Why it failed is known: what does not answer? */
static enum cell_status
failed_status(struct performer *p, const char *why)
{
	json_t *url = wd_call(p->wd, "GET", "url", NULL, OPEN_MS);
	enum cell_status status = url ? CELL_FAILED : CELL_BROWSER_DIED;
	if (!url)
		p->gone = xstrdup(why);
	json_decref(url);
	return status;
}

/* Takes what is not const: what the page saw, and what processes used; NULL: nothing. */
static void
write_gesture(struct performer *p, const struct interaction *g, const struct notebook_cell *c,
    json_t *seen, json_t *used, const char *pace, const char *why)
{
	json_t *record = json_incref(json_object_get(seen, "record")), *marks = NULL;
	char *picture = NULL;
	if (!record)
		record = empty_record(g, CELL_FAILED, why);
	if (why)
		json_object_update_new(record, json_pack("{s:s, s:s}", "status",
		    cell_status_word(failed_status(p, why)), "reason", why));
	char *status = xstrdup(json_string_value(json_object_get(record, "status")));
	if (used)
		marks = hook_driver_ask_others(question_of("ended", g, c, status));
	json_array_extend(json_object_get(record, "marks"), marks);
	if (p->dialog)
		cell_record_mark(record, "alert");
	if (!p->devtools && seen)
		cell_record_mark(record, "webdriver_actions");
	if (p->screenshots && !p->gone && strcmp(status, cell_status_word(CELL_COMPLETED)) != 0)
		picture = take_screenshot(p, g);
	if (strcmp(status, cell_status_word(CELL_KERNEL_DIED)) == 0) {
		p->gone = xstrdup("the kernel died in a gesture before");
		json_object_set_new(record, "reason", json_string("the kernel ended meanwhile"));
	}
	json_object_update_new(record, json_pack("{s:O*, s:s*}", "usage", used, "screenshot",
	    picture));
	write_records(g, c, record, seen, pace);
	if (used)
		json_decref(hook_driver_ask_others(question_of("recorded", g, c, status)));
	json_decref(marks);
	json_decref(seen);
	json_decref(used);
	free(picture);
	free(status);
}

void
performer_perform(struct performer *p, const struct interaction *g, const struct notebook_cell *c)
{
	struct gesture_inputs all = {0};
	const char *pace = p->pace ? p->pace : interaction_text(g, "pace");
	bool fast = str_same(pace, "fast");
	char *why = NULL;
	if (p->gone) {
		performer_skip(g, c, p->gone);
		return;
	}
	p->dialog = false;
	if (p->devtools)
		devtools_send(p->devtools, "Page.enable", NULL);
	clock_pause_ms((long)interaction_number(g, "pause_ms", 0));
	json_t *place = find_element(p, g, c, &why), *seen = NULL, *used = NULL, *film = NULL;
	if (place)
		why = gesture_inputs_make(&all, g, place);
	if (!why)
		why = aim(p, g, &all);
	if (!why) {
		json_decref(hook_driver_ask_others(question_of("before", g, c, NULL)));
		cell_usage_before(p->usage);
		if (p->film)
			gesture_film_begin(p->devtools, p->film, g->number);
		seen = measure(p, g, &all, fast, &why);
		used = cell_usage_after(p->usage);
		if (p->film && (film = gesture_film_end(p->devtools, c->index)))
			hook_driver_write(film);
	}
	write_gesture(p, g, c, seen, used, fast ? "fast" : "recorded", why);
	if (p->devtools)
		devtools_send(p->devtools, "Page.disable", NULL);
	json_decref(place);
	free(all.v);
	free(why);
}

void
performer_skip(const struct interaction *g, const struct notebook_cell *c, const char *why)
{
	write_records(g, c, empty_record(g, CELL_NOT_RUN, why), NULL, NULL);
}

struct performer *
performer_open(const json_t *opened, const char *screenshots, const char *film,
    const char *pace)
{
	const char *kernel_id = json_string_value(json_object_get(opened, "kernel_id"));
	struct performer *p = xmalloc(sizeof *p);
	char *why = NULL;
	session_variables_set(json_object_get(opened, "session"));
	*p = (struct performer){.screenshots = screenshots, .pace = pace,
		.wd = wd_open(getenv("WD_SESSION")),
		.usage = cell_usage_open(NULL, kernel_id, kernel_process_find(kernel_id), NULL),
		.settle_ms = json_integer_value(json_object_get(opened, "settle_ms")),
		.max_wait_ms = json_integer_value(json_object_get(opened, "max_wait_ms"))};
	if (devtools_address())
		p->devtools = devtools_open(p->wd, OPEN_MS, &why);
	if (why)
		warn("gestures are performed by WebDriver's actions: %s", why);
	if (p->devtools) {
		p->film = film;
		devtools_listen(p->devtools, on_event, p);
	}
	free(why);
	return p;
}
