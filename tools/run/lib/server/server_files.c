/* server_files.c: what a run puts on the server, everything under names of its own. */
#include "server/server_files.h"
#include "base/die.h"
#include "base/folder_walk.h"
#include "base/random_hex.h"
#include "jupyter/contents.h"
#include "kernel/kernel_process.h"
#include "notebook/notebook.h"
#include "server/kernel_prefix.h"
#include "server/server_cleanup.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

enum { INTERRUPT_MS = 5000, TAG_DIGITS = 16 };
/* The server writes a file under a longer name first. */
enum { MAX_FILE_NAME_BYTES = 250 };

static int
put_folder(struct server_files *f, const char *path)
{
	server_cleanup_note_folder(f, path);
	return contents_put_folder(f->lab, path);
}

static int
put_file(struct server_files *f, const char *local, const struct stat *st, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (strlen(slash ? slash + 1 : path) > MAX_FILE_NAME_BYTES) {
		lab_set_error(f->lab, "the name of '%.300s' has more than %d bytes: rename it",
		    local, MAX_FILE_NAME_BYTES);
		return -1;
	}
	return placed_file_add(&f->placed, f->lab, local, st, path);
}

static int
put_entry(void *arg, const char *local, const char *below, const struct stat *st)
{
	struct server_files *f = arg;
	char *path = xasprintf("%s/%s", f->folder, below);
	int bad = -1;
	if (!st)
		lab_set_error(f->lab, "cannot read '%s': %s", local, strerror(errno));
	else
		bad = S_ISDIR(st->st_mode) ? put_folder(f, path) : put_file(f, local, st, path);
	free(path);
	return bad;
}

int
server_files_put_all(struct server_files *f, const char *const *paths, size_t n, bool cold)
{
	int bad = 0;
	if (n && f->local_folder && !f->placed.root)
		f->placed.root = xasprintf("%.*s", (int)(strlen(f->local_folder) -
		    strlen(f->folder) - 1), f->local_folder);
	for (size_t i = 0; !bad && i < n; i++)
		bad = folder_walk(paths[i], put_entry, f);
	if (!bad && cold)
		placed_file_drop_all(&f->placed);
	return bad;
}

char *
server_files_new_name(void)
{
	char tag[TAG_DIGITS + 1];
	xrandom_hex(tag, TAG_DIGITS);
	return xasprintf("nbscope-%s", tag);
}

int
server_files_open(struct server_files *f, struct lab *lab, const char *name,
    const json_t *notebook, const char *kernel)
{
	char *folder = server_files_new_name();
	*f = (struct server_files){.lab = lab, .folder = folder, .workspace = xstrdup(folder),
	    .path = xasprintf("%s/%s", folder, name), .kernel = kernel ? xstrdup(kernel) : NULL,
	    .command_tags = notebook_scorep_tags(notebook)};
	server_cleanup_start_reaper(f);
	if (put_folder(f, f->folder) != 0)
		return -1;
	server_cleanup_locate(f, 0);
	return server_files_put_notebook(f, notebook);
}

int
server_files_put_notebook(struct server_files *f, const json_t *notebook)
{
	json_t *model = contents_put(f->lab, f->path, json_pack("{s:s, s:s, s:O}",
	    "type", "notebook", "format", "json", "content", notebook));
	json_decref(model);
	return model ? 0 : -1;
}

static int
fail_start(struct server_files *f, const char *kernel)
{
	char *reason = xstrdup(f->lab->error);
	if (!kernel || lab_has_kernel(f->lab, kernel))
		lab_set_error(f->lab, "cannot start a kernel '%.80s': %.380s",
		    kernel ? kernel : "default", reason);
	free(reason);
	return -1;
}

int
server_files_start_kernel(struct server_files *f, const char *kernel)
{
	json_t *spec = kernel ? json_pack("{s:s}", "name", kernel) : json_object();
	json_t *request = json_pack("{s:s, s:s, s:s, s:o}", "path", f->path,
	    "name", strchr(f->path, '/') + 1, "type", "notebook", "kernel", spec);
	long status;
	kernel_prefix_name_run(f);
	f->session_requested = true;
	json_t *session = lab_call(f->lab, "POST", "api/sessions", request, &status);
	f->session_requested = status < 300;	/* otherwise it was refused */
	json_t *started = json_object_get(session, "kernel");
	const char *kernel_id = json_string_value(json_object_get(started, "id"));
	const char *id = json_string_value(json_object_get(session, "id"));
	const char *name = json_string_value(json_object_get(started, "name"));
	if (!kernel_id) {
		json_decref(session);
		return fail_start(f, kernel);
	}
	f->kernel_id = xstrdup(kernel_id);
	f->session_id = xstrdup(id ? id : "");
	f->session_requested = false;
	server_cleanup_note_session(f);
	if (!f->local_folder)
		server_cleanup_locate(f, kernel_process_find(kernel_id));
	free(f->kernel);
	f->kernel = xstrdup(name ? name : kernel ? kernel : "");
	json_decref(session);
	return 0;
}

int
server_files_interrupt(struct server_files *f)
{
	char *url = xasprintf("api/kernels/%s/interrupt", f->kernel_id);
	f->lab->limit_ms = INTERRUPT_MS;
	json_t *done = lab_call(f->lab, "POST", url, NULL, NULL);
	f->lab->limit_ms = 0;
	free(url);
	json_decref(done);
	return done ? 0 : -1;
}

json_t *
server_files_get(struct server_files *f)
{
	json_t *model = contents_get(f->lab, f->path);
	json_t *content = json_incref(json_object_get(model, "content"));
	json_decref(model);
	return content;
}

char *
server_files_modified(struct server_files *f)
{
	json_t *model = contents_describe(f->lab, f->path);
	const char *when = json_string_value(json_object_get(model, "last_modified"));
	char *copy = when ? xstrdup(when) : NULL;
	json_decref(model);
	return copy;
}
