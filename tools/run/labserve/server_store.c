/* server_store.c: the folder on the server in which cellrun keeps large files between runs. */
#include "server_store.h"
#include "base/die.h"
#include "base/folder.h"
#include "base/random_hex.h"
#include "jupyter/contents.h"
#include "jupyter/local_folder.h"
#include "process/hold_command.h"
#include "process/reaper.h"

#include <unistd.h>

enum { TAG_DIGITS = 16, LIMIT_MS = 8000, LIMIT_S = 60, WAIT_MS = 20000 };

static char *name;
static int reaper_fd;
static pid_t reaper;

void
xserver_store_name(void)
{
	char tag[TAG_DIGITS + 1];
	xrandom_hex(tag, TAG_DIGITS);
	name = xasprintf("nbscope-store-%s", tag);
	xsetenv("LABSERVE_STORE", name);
}

/* A server may refuse to remove a folder that is not empty. */
static void
remove_over_rest(struct lab *l, json_t *folder)
{
	json_t *file;
	size_t i;
	json_array_foreach(json_object_get(folder, "content"), i, file) {
		const char *path = json_string_value(json_object_get(file, "path"));
		if (path)
			contents_remove(l, path);
	}
	contents_remove(l, name);
}

/* Removes it on this machine, if possible, since the server would move it into the user's trash. */
static void
remove_store(struct lab *l)
{
	json_t *folder = contents_get(l, name);
	char *local = folder ? local_folder_of_server(name) : NULL;
	if (folder && (!local || folder_remove(local) != 0))
		remove_over_rest(l, folder);
	free(local);
	json_decref(folder);
}

static void
reaper_main(int fd, void *arg)
{
	struct lab *l = arg;
	char byte;
	while (read(fd, &byte, 1) > 0)
		continue;
	alarm(LIMIT_S);
	l->http = http_clone(l->http);
	l->limit_ms = LIMIT_MS;
	remove_store(l);
}

void
xserver_store_watch(struct lab *l)
{
	reaper_fd = reaper_start(reaper_main, l, &reaper);
	if (reaper_fd < 0)
		die(ST_SYSTEM, "cannot start the process that cleans up the server:");
	hold_exempt(reaper);
}

void
server_store_end(void)
{
	if (reaper_fd > 0)
		reaper_end(reaper_fd, reaper, WAIT_MS);
	reaper_fd = 0;
}
