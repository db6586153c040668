/* plan_command.c: the programs that make a run, with their arguments. */
#include "plan_command.h"
#include "made_from.h"
#include "run_settings.h"
#include "base/die.h"
#include "base/output.h"
#include "json/json_text.h"
#include "run/run_defaults.h"

#include <stdio.h>

/* A cell takes longer under a profiler. */
static const double profiled_factor = 5;
static const char no_samples[] = "0";

/* ---- arguments ---------------------------------------------------------------------- */

static void
add_argument(json_t *argv, const char *word)
{
	json_array_append_new(argv, json_string(word));
}

static void
add_option(json_t *argv, const char *option, const char *value)
{
	add_argument(argv, option);
	add_argument(argv, value);
}

/* Frees the value. */
static void
add_path(json_t *argv, const char *option, char *value)
{
	add_option(argv, option, value);
	free(value);
}

/* ---- the driver ----------------------------------------------------------------------- */

static bool
has_page(void)
{
	return !run_settings_is("browser", "none");
}

static void
add_wait(json_t *argv, const struct planned_run *r)
{
	const char *set = run_settings_get("max_wait_time");
	if (r->as.pass)
		add_path(argv, "--max-wait-time",
		    xasprintf("%g", (set ? strtod(set, NULL) : RUN_MAX_WAIT_S) * profiled_factor));
	else if (set)
		add_option(argv, "--max-wait-time", set);
}

static const char *
interval_ms(void)
{
	static char initial[16];
	const char *set = run_settings_get("sample_interval");
	snprintf(initial, sizeof initial, "%d", RUN_SAMPLE_MS);
	return set ? set : initial;
}

static void
add_settings(json_t *argv, const struct planned_run *r)
{
	const json_t *options = run_settings_options();
	size_t i;
	json_t *option;
	json_array_foreach(options, i, option) {
		const char *name = json_string_value(json_array_get(option, 0));
		if (strcmp(name, "--max-wait-time") != 0)
			add_option(argv, name, json_string_value(json_array_get(option, 1)));
	}
	add_wait(argv, r);
	if (run_settings_is("cold", "1"))
		add_argument(argv, "--cold");
}

/* Where the run's other files go. */
static void
add_files(json_t *argv, const struct planned_combination *c, const struct planned_run *r)
{
	const char *shots = run_settings_of_plan("screenshots");
	char *const *files;
	size_t n = made_from_files(&files);
	for (size_t i = 0; i < n; i++)
		add_option(argv, "--with-file", files[i]);
	add_path(argv, "--executed", layout_of_run(&c->at, LAYOUT_EXECUTED, &r->as));
	if (r->as.repetition == LAYOUT_FILM)
		add_path(argv, "--film", layout_of_run(&c->at, LAYOUT_SCREENSHOTS, &r->as));
	else if (!r->as.pass && shots && strcmp(shots, "1") == 0)
		add_path(argv, "--screenshots", layout_of_run(&c->at, LAYOUT_SCREENSHOTS, &r->as));
}

static bool
is_throttled(const struct planned_combination *c)
{
	return c->network_mb_s >= 0;
}

/* Whether the page stays for the next notebook. */
static bool
reuses_page(const struct planned_combination *c, const struct planned_run *r)
{
	return run_settings_is("page", "reuse") && !r->as.pass &&
	    r->as.repetition != LAYOUT_FILM && !is_throttled(c);
}

static void
add_driver(json_t *argv, const struct planned_combination *c, const struct planned_run *r,
    const struct plan_command *p)
{
	add_argument(argv, has_page() ? "cellrun" : "kernelrun");
	if (c->skip)
		add_option(argv, "--skip", c->skip);
	else if (reuses_page(c, r))
		add_argument(argv, "--reuse");
	if (p->insecure)
		add_argument(argv, "--insecure");
	add_path(argv, "--made-from", json_text_of(r->now));
	add_option(argv, "--label", c->at.label);
	add_path(argv, "--repetition", xasprintf("%ld", r->as.repetition));
	if (!c->skip) {
		add_files(argv, c, r);
		add_settings(argv, r);
		if (p->noise)
			add_argument(argv, "--noise");
	}
	add_argument(argv, c->notebook);
}

/* ---- its holders ---------------------------------------------------------------------- */

/* The link of the page: of a combination, or of a run that is to find out what the link costs. */
static void
add_link(json_t *argv, const struct planned_combination *c, const struct planned_run *r)
{
	const json_t *own = json_object_get(r->now, "settings");
	const char *down = json_string_value(json_object_get(own, "profile_down"));
	const char *latency = json_string_value(json_object_get(own, "profile_latency"));
	if (!down && !latency && !is_throttled(c))
		return;
	add_argument(argv, "netshape");
	if (down)
		add_option(argv, "--down", down);
	else if (is_throttled(c))
		add_path(argv, "--down", xasprintf("%g", c->network_mb_s));
	if (latency)
		add_option(argv, "--latency", latency);
}

static void
add_browser(json_t *argv, const struct planned_combination *c, const struct planned_run *r,
    bool insecure)
{
	static const struct {
		const char *setting, *option;
	} options[] = {{"browser", "--browser"}, {"window", "--window"}};
	add_link(argv, c, r);
	add_argument(argv, "wdsession");
	add_argument(argv, "--early");
	for (size_t i = 0; i < COUNT(options); i++)
		if (run_settings_get(options[i].setting))
			add_option(argv, options[i].option,
			    run_settings_get(options[i].setting));
	if (run_settings_is("headless", "0"))
		add_argument(argv, "--show");
	if (insecure)
		add_argument(argv, "--insecure");
}

/* What samples or profiles the kernel, and performs gestures. */
static void
add_hooks(json_t *argv, const struct planned_combination *c, const struct planned_run *r)
{
	if (run_settings_is("remote_samples", "1") &&
	    !run_settings_is("sample_interval", no_samples)) {
		add_argument(argv, "remotesample");
		add_option(argv, "--interval", interval_ms());
	}
	if (r->as.pass)
		add_path(argv, "cellprofile",
		    layout_profile_spec(&c->at, c->name, r->as.pass));
	if (made_from_interactions()) {
		add_argument(argv, "cellinteract");
		if (made_from_pace())
			add_option(argv, "--pace", made_from_pace());
		add_path(argv, "--screenshots", layout_of_run(&c->at, LAYOUT_SCREENSHOTS, &r->as));
		if (r->as.repetition == LAYOUT_FILM)
			add_path(argv, "--film", layout_of_run(&c->at, LAYOUT_SCREENSHOTS, &r->as));
		add_argument(argv, made_from_interactions());
	}
}

static json_t *
make_run(const struct planned_combination *c, const struct planned_run *r,
    const struct plan_command *p)
{
	json_t *argv = json_array();
	if (has_page() && !c->skip && !reuses_page(c, r))
		add_browser(argv, c, r, p->insecure);
	if (!c->skip)
		add_hooks(argv, c, r);
	add_driver(argv, c, r, p);
	return argv;
}

json_t *
plan_command(const struct planned_combination *c, const struct planned_run *r,
    const struct plan_command *p)
{
	json_t *pipe = json_array(), *bar = json_pack("[s]", "runbar");
	json_t *keep = json_pack("[s]", "runkeep");
	json_array_append_new(pipe, make_run(c, r, p));
	if (!c->skip && !run_settings_is("sample_interval", no_samples))
		json_array_append_new(pipe, json_pack("[s, s, s]", "procsample", "--interval",
		    interval_ms()));
	if (p->with_label)
		add_argument(bar, "--label");
	if (p->target)
		add_option(keep, "--target", p->target);
	add_argument(keep, r->path);
	json_array_append_new(pipe, bar);
	json_array_append_new(pipe, keep);
	return pipe;
}

/* ---- as a line for a shell ---------------------------------------------------------------- */

/* The holders of the server, around the first program, where the run is made alone. */
static json_t *
server_holders(bool insecure)
{
	static const struct {
		const char *setting, *option;
		bool of_plan;
	} options[] = {
		{"venv", "--venv", false}, {"lab_host", "--host", false},
		{"kernel_prefix", "--kernel-prefix", false},
		{"kernel_memory", "--kernel-memory", true},
	};
	json_t *argv = json_pack("[s]", "labserve");
	for (size_t i = 0; i < COUNT(options); i++) {
		const char *name = options[i].setting;
		const char *value =
		    options[i].of_plan ? run_settings_of_plan(name) : run_settings_get(name);
		if (value)
			add_option(argv, options[i].option, value);
	}
	if (insecure)
		add_argument(argv, "--insecure");
	if (run_settings_is("page", "reuse")) {
		add_argument(argv, "wdsession");
		add_argument(argv, "--keep");
	}
	return argv;
}

static void
add_word(struct buf *b, const char *word)
{
	static const char plain[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./=+@%,:-";
	const char *blank = b->n ? " " : "";
	if (*word && !word[strspn(word, plain)]) {
		buf_addf(b, "%s%s", blank, word);
		return;
	}
	buf_addf(b, "%s'", blank);
	for (; *word; word++)
		buf_addf(b, *word == '\'' ? "'\\''" : "%c", *word);
	buf_addf(b, "'");
}

static void
add_words(struct buf *b, const json_t *argv)
{
	size_t i;
	json_t *word;
	json_array_foreach(argv, i, word)
		add_word(b, json_string_value(word));
}

void
xplan_command_print(const json_t *command, bool insecure)
{
	struct buf b = {0};
	json_t *server = server_holders(insecure), *argv;
	size_t i;
	add_words(&b, server);
	json_array_foreach(command, i, argv) {
		buf_addf(&b, i ? " |" : "");
		add_words(&b, argv);
	}
	xoutput_line(b.p, b.n);
	buf_free(&b);
	json_decref(server);
}
