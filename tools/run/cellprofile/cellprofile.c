/* cellprofile: runs COMMAND, whose driver runs cells under profilers.
 * The driver (cellrun or kernelrun) asks before and after each cell; the profilers are started in
 * the kernel and in the browser through the driver, which writes their records. */
#include "base/opt.h"
#include "hook/hook_command.h"
#include "profiling.h"

static struct profiling *profiling;
static const struct opt opts[] = {{0}};
static const struct opt_usage usage = {"cellprofile", "FILE COMMAND...",
	"Runs COMMAND, whose driver runs cells under the profilers that FILE names.", opts};

static json_t *
on_question(const char *type, const json_t *question)
{
	size_t cell = (size_t)json_integer_value(json_object_get(question, "cell"));
	if (strcmp(type, "settings") == 0)
		return json_pack("{s:{s:O}}", "settings", "profile", profiling_settings(profiling));
	if (strcmp(type, "open") == 0)
		profiling_open(profiling, question);
	else if (strcmp(type, "before") == 0)
		profiling_before(profiling, cell,
		    json_integer_value(json_object_get(question, "interaction")));
	else if (strcmp(type, "ended") == 0 && profiling_ended(profiling))
		return json_pack("{s:s}", "mark", "profiler");
	else if (strcmp(type, "recorded") == 0)
		profiling_recorded(profiling, cell,
		    json_string_value(json_object_get(question, "status")));
	else if (strcmp(type, "round") == 0)
		profiling_round(profiling, question);
	return NULL;
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (argc - first < 2)
		opt_die(&usage, "FILE and COMMAND are required");
	profiling = xprofiling_read(argv[first]);
	return hook_command(argv + first + 1, on_question);
}
