/* kernel_prefix.c: the command under which labserve starts kernels (KERNEL_PREFIX).
 * One server serves many runs, and knows of each only its notebook's folder: a file of that name
 * has the path that {run} stands for, and the tags with options of the command
 * (share/lab/kernel_prefix.py). */
#include "server/kernel_prefix.h"
#include "base/die.h"
#include "base/str.h"
#include "json/json_value.h"
#include "notebook/run_options.h"

#include <errno.h>
#include <sys/stat.h>

const char *
kernel_prefix_command(void)
{
	return str_nonempty(getenv("LABSERVE_KERNEL_PREFIX"));
}

/* The kernel, which works elsewhere, needs an absolute path; NULL: its folder does not exist. */
static char *
absolute_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = xasprintf("%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	char *whole = realpath(folder, NULL);
	char *absolute = whole ? xasprintf("%s/%s", whole, slash ? slash + 1 : path) : NULL;
	free(folder);
	free(whole);
	return absolute;
}

void
kernel_prefix_name_run(const struct server_files *f)
{
	const char *files = getenv("LABSERVE_KERNEL_FILES");
	bool tagged = json_array_size(f->command_tags) > 0;
	if (!files || !f->folder || !(run_options.run_path || tagged))
		return;
	char *run = run_options.run_path ? absolute_path(run_options.run_path) : NULL;
	char *name = xasprintf("%s/%s", files, f->folder);
	bool usable = run || !run_options.run_path;
	bool made = usable && (mkdir(files, 0700) == 0 || errno == EEXIST);
	json_t *note = json_pack("{s:o, s:O?}", "run", json_value_text(run), "tags",
	    f->command_tags);
	if (!made || json_dump_file(note, name, JSON_COMPACT) != 0)
		warn("--run-path: cannot use '%s':", run_options.run_path ?
		    run_options.run_path : "");
	json_decref(note);
	free(run);
	free(name);
}
