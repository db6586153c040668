/* remotesample: runs COMMAND, whose driver's kernel is sampled where it is, if that is elsewhere.
 * The driver (cellrun or kernelrun) asks before and after each cell; Python in the kernel reads
 * what it has used, which becomes the usage in the cell's record, and samples. */
#include "base/opt.h"
#include "hook/hook_command.h"
#include "remote_usage.h"

#include <stdlib.h>
#include <string.h>

static double interval_ms = 50;
static struct remote_usage *usage_there;	/* NULL: the kernel is on this machine */
static const struct opt opts[] = {
	{0, "interval", OPT_REAL, &interval_ms, 10, 3600000, "MS",
		"milliseconds between two samples; default 50"},
	{0},
};
static const struct opt_usage usage = {"remotesample", "[options] COMMAND...",
	"Runs COMMAND, whose driver's kernel on another machine is sampled there.", opts};

static json_t *
on_question(const char *type, const json_t *question)
{
	const char *status = json_string_value(json_object_get(question, "status"));
	const char *kernel_id = json_string_value(json_object_get(question, "kernel_id"));
	if (strcmp(type, "settings") == 0)
		return json_pack("{s:{s:f}}", "settings", "remote_samples_ms", interval_ms);
	if (strcmp(type, "open") == 0)
		usage_there = remote_usage_open(interval_ms, kernel_id);
	if (!usage_there)
		return NULL;
	if (strcmp(type, "open") == 0)
		return json_pack("{s:{s:o}}", "run", "kernel_machine",
		    remote_usage_machine(usage_there));
	if (strcmp(type, "before") == 0)
		remote_usage_before(usage_there);
	else if (strcmp(type, "ended") == 0 && strcmp(status, "not_run") != 0)
		return json_pack("{s:o?}", "usage", remote_usage_after(usage_there,
		    json_object_get(question, "usage")));
	return NULL;
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (argc == first)
		opt_die(&usage, "COMMAND is required");
	return hook_command(argv + first, on_question);
}
