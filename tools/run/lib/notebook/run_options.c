/* run_options.c: the options that every driver of a run has. */
#include "notebook/run_options.h"
#include "base/die.h"
#include "json/json_parse.h"
#include "process/affinity.h"

struct run_options run_options = {.label = "current", .repetition = 1, .attempt = 1,
	.max_wait_s = RUN_MAX_WAIT_S, .ready_timeout_s = 120};

void
run_options_add_file(const char *path)
{
	if (run_options.n_files == MAX_WITH_FILES)
		die(ST_USAGE, "--with-file may be given at most %d times", MAX_WITH_FILES);
	run_options.with_files[run_options.n_files++] = path;
}

void
run_options_set_page(void)
{
	run_options.page = true;
	run_options.wait = "auto";
	run_options.settle_ms = RUN_SETTLE_MS;
}

void
run_options_check(const struct opt_usage *usage)
{
	struct run_options *o = &run_options;
	const char *text = o->made_from_text;
	char error[256], *why = NULL;
	if (text)
		o->made_from = json_parse_text(text, strlen(text), "--made-from", &why);
	if (why)
		opt_die(usage, "%s", why);
	if (o->cores && affinity_check(o->cores, error) != 0)
		opt_die(usage, "--cores: %s", error);
	if (o->page && strcmp(o->wait, "auto") && strcmp(o->wait, "tags") &&
	    strcmp(o->wait, "none"))
		opt_die(usage, "--wait must be auto, tags or none, not '%s'", o->wait);
	if (o->selector && !*o->selector)
		o->selector = NULL;
}
