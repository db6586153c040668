/* kernel_prefix.c: the command under which labserve starts kernels (KERNEL_PREFIX).
 * One server serves many runs, and knows of each only its notebook's folder: a file of that name
 * has the path that {run} stands for (share/lab/kernel_prefix.py). */
#include "drive/kernel_prefix.h"
#include "base/die.h"
#include "base/str.h"
#include "drive/run_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *
kernel_prefix_command(void)
{
	return str_nonempty(getenv("LABSERVE_KERNEL_PREFIX"));
}

/* As the kernel, which works elsewhere, needs it; NULL: its folder does not exist. */
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
	if (!files || !f->folder || !run_options.run_path)
		return;
	char *run = absolute_path(run_options.run_path);
	char *name = xasprintf("%s/%s", files, f->folder);
	bool made = run && (mkdir(files, 0700) == 0 || errno == EEXIST);
	FILE *file = made ? fopen(name, "we") : NULL;
	bool written = file && fputs(run, file) >= 0;
	if ((file && fclose(file) != 0) || !written)
		warn("--run-path: cannot use '%s':", run_options.run_path);
	free(run);
	free(name);
}
