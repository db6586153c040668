/* server_cleanup.c: removes what a run put on the server, also if the run is killed. */
#include "server/server_cleanup.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/folder.h"
#include "jupyter/contents.h"
#include "jupyter/local_folder.h"
#include "process/reaper.h"
#include "server/kernel_prefix.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum {
	MAX_DEPTH = 20, END_MS = 5000, CLOSE_MS = 8000, PREFIX_END_MS = 70000, REAPER_S = 20,
	REAPER_WAIT_MS = 3000, TEXT_BYTES = 1024, LOCAL_TRIES = 3,
};

/* A message to the reaper: everything is done, a session's id, a folder created on the
 * server, or the path of our folder on this machine. */
struct cleanup_message {
	enum { DONE, SESSION, FOLDER, LOCAL_FOLDER } kind;
	char text[TEXT_BYTES];
};

static void
delete_resource(struct server_files *f, const char *collection, const char *id)
{
	char *url = xasprintf("%s/%s", collection, id);
	json_decref(lab_call(f->lab, "DELETE", url, NULL, NULL));
	free(url);
}

/* ---- the folder ------------------------------------------------------------------------- */

/* Over REST, a link that a notebook made to a folder of the user's is not distinguishable
 * from a folder: only known folders are entered, and Python's cache of imported modules. */
static bool
is_known(const struct server_files *f, const char *path)
{
	const char *name = strrchr(path, '/');
	json_t *folder;
	size_t i;
	json_array_foreach(f->folders, i, folder)
		if (strcmp(json_string_value(folder), path) == 0)
			return true;
	return name && strcmp(name, "/__pycache__") == 0;
}

static void
remove_content(struct server_files *f, const char *path, int depth)
{
	if (depth == MAX_DEPTH)
		return;
	json_t *model = contents_get(f->lab, path), *item;
	size_t i;
	json_array_foreach(json_object_get(model, "content"), i, item) {
		const char *type = json_string_value(json_object_get(item, "type"));
		const char *below = json_string_value(json_object_get(item, "path"));
		if (!type || !below || strncmp(below, f->folder, strlen(f->folder)) != 0)
			continue;
		if (strcmp(type, "directory") == 0 && is_known(f, below))
			remove_content(f, below, depth + 1);
		contents_remove(f->lab, below);
	}
	json_decref(model);
}

/* On this machine without the server, which would move it into the user's trash, and even if it
 * does not answer.  Otherwise as a whole, since a server then follows no link; otherwise, if it
 * refuses to remove a folder that is not empty, everything in it that is known to be ours. */
static bool
remove_folder(struct server_files *f, bool server_answers)
{
	/* The server may add a file meanwhile. */
	for (int tries = LOCAL_TRIES; f->local_folder; ) {
		if (folder_remove(f->local_folder) == 0)
			return true;
		if (--tries == 0)
			return false;
	}
	if (!f->folder)
		return true;
	if (!server_answers)
		return false;
	if (contents_remove(f->lab, f->folder))
		return true;
	remove_content(f, f->folder, 0);
	return contents_remove(f->lab, f->folder);
}

/* ---- sessions --------------------------------------------------------------------------- */

/* Repeated until it is gone: while a kernel that just died is restarted, its session may
 * survive a DELETE. */
static void
end_session(struct server_files *f)
{
	char *url = xasprintf("api/sessions/%s", f->session_id);
	uint64_t end_ns = clock_monotonic_ns() + END_MS * UINT64_C(1000000);
	long status = 0;
	do {
		json_decref(lab_call(f->lab, "DELETE", url, NULL, NULL));
		json_decref(lab_call(f->lab, "GET", url, NULL, &status));
	} while (status != 404 && status != 0 && clock_monotonic_ns() < end_ns);
	free(url);
}

/* Ends the sessions of notebooks in our folder; false if the server does not answer. */
static bool
end_folder_sessions(struct server_files *f)
{
	json_t *all = lab_call(f->lab, "GET", "api/sessions", NULL, NULL), *s;
	size_t i, n = f->folder ? strlen(f->folder) : 0;
	json_array_foreach(all, i, s) {
		const char *path = json_string_value(json_object_get(s, "path"));
		const char *id = json_string_value(json_object_get(s, "id"));
		if (n && path && id && strncmp(path, f->folder, n) == 0 && path[n] == '/')
			delete_resource(f, "api/sessions", id);
	}
	bool answered = all != NULL;
	json_decref(all);
	return answered;
}

static bool
server_answers(struct server_files *f)
{
	long status;
	json_decref(lab_call(f->lab, "GET", "api", NULL, &status));
	return status != 0;
}

/* ---- the reaper ------------------------------------------------------------------------- */

static void
send_message(const struct server_files *f, int kind, const char *text)
{
	struct cleanup_message m = {.kind = kind};
	size_t n = strlen(text);
	if (f->reaper_fd <= 0 || n >= sizeof m.text)
		return;
	memcpy(m.text, text, n);
	if (write(f->reaper_fd, &m, sizeof m) < 0)
		log_at(LOG_LEVEL_WARNING, "the cleanup process is gone:");
}

void
server_cleanup_note_session(const struct server_files *f)
{
	if (f->session_id)
		send_message(f, SESSION, f->session_id);
}

void
server_cleanup_note_folder(struct server_files *f, const char *path)
{
	if (!f->folders)
		f->folders = json_array();
	json_array_append_new(f->folders, json_string(path));
	send_message(f, FOLDER, path);
}

void
server_cleanup_locate(struct server_files *f, pid_t kernel)
{
	if (!f->folder || f->local_folder)
		return;
	f->local_folder = kernel ? local_folder_of_kernel(f->folder, kernel) :
	    local_folder_of_server(f->folder);
	if (f->local_folder)
		send_message(f, LOCAL_FOLDER, f->local_folder);
}

/* Receives messages until the run has ended; true if everything is done then. */
static bool
receive_messages(struct server_files *f, int fd)
{
	struct cleanup_message m;
	ssize_t n;
	while ((n = read(fd, &m, sizeof m)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n != (ssize_t)sizeof m || m.kind == DONE)
			return true;
		if (m.kind == SESSION)
			f->session_id = xstrdup(m.text);
		else if (m.kind == LOCAL_FOLDER)
			f->local_folder = xstrdup(m.text);
		else
			server_cleanup_note_folder(f, m.text);
	}
	return false;
}

/* What was requested just before may appear only after the first attempt: a kernel that was
 * being started, a workspace that the page saves once more. */
static void
reaper_main(int fd, void *arg)
{
	static const long pauses_ms[] = {0, 300, 700, 1000, 1500};
	struct server_files *f = arg;
	if (receive_messages(f, fd))
		return;
	alarm(REAPER_S);
	f->lab->http = http_clone(f->lab->http);
	size_t rounds = f->session_id ? 3 : COUNT(pauses_ms);
	bool remains = false;	/* on this machine, where something still writes into it */
	for (size_t i = 0, answered = 0; answered < rounds || remains; i++) {
		clock_pause_ms(pauses_ms[i < COUNT(pauses_ms) ? i : COUNT(pauses_ms) - 1]);
		if (i == 0 && f->session_id)
			end_session(f);
		bool answers = end_folder_sessions(f);
		remains = !remove_folder(f, answers) && f->local_folder;
		if (answers) {
			answered++;
			delete_resource(f, "lab/api/workspaces", f->workspace);
		} else if (f->lab->held) {
			return;
		}
	}
}

void
server_cleanup_start_reaper(struct server_files *f)
{
	f->reaper_fd = reaper_start(reaper_main, f, &f->reaper);
	if (f->reaper_fd < 0)
		die(ST_SYSTEM, "cannot start the process that cleans up the server:");
}

/* What could not be removed, because the server does not answer or its id is unknown, is left
 * to the reaper, which continues for REAPER_S. */
static void
end_reaper(struct server_files *f, bool all_gone)
{
	struct cleanup_message done = {.kind = DONE};
	if (f->reaper_fd > 0 && (f->page_remains || f->server_was_lost))
		close(f->reaper_fd);	/* it tries again when the page is gone, too */
	else if (f->reaper_fd > 0 && (!all_gone || write(f->reaper_fd, &done, sizeof done) >= 0))
		reaper_end(f->reaper_fd, f->reaper, REAPER_WAIT_MS);
}

void
server_cleanup_end_kernel(struct server_files *f)
{
	f->lab->limit_ms = kernel_prefix_command() ? PREFIX_END_MS : CLOSE_MS;
	if (f->session_id)
		end_session(f);
	free(f->session_id);
	f->session_id = NULL;
	f->lab->limit_ms = 0;
}

/* What remains, unless the reaper still removes it. */
static void
warn_remains(const struct server_files *f, bool folder_gone, int error, bool server_answers)
{
	if (!folder_gone && f->local_folder && access(f->local_folder, F_OK) == 0)
		warn("cannot remove '%s': %s", f->local_folder, strerror(error));
	if (!server_answers && f->workspace && !f->lab->held)
		warn("the server does not answer: unless it does within %d s, %s workspace '%s' "
		    "remains on it", REAPER_S,
		    folder_gone || f->local_folder ? "the" : "the folder and the", f->workspace);
}

void
server_cleanup_all(struct server_files *f)
{
	server_cleanup_end_kernel(f);
	f->lab->limit_ms = CLOSE_MS;
	/* A server that does not answer now gets no further requests. */
	bool answers = server_answers(f);
	if (answers || f->placed.root)
		placed_file_keep_all(&f->placed, f->lab);
	bool gone = remove_folder(f, answers);
	int error = errno;
	if (!gone && !f->local_folder && answers)
		warn("cannot remove '%s' from the server: %s", f->folder, f->lab->error);
	if (f->workspace && answers)
		delete_resource(f, "lab/api/workspaces", f->workspace);
	bool done = (gone || !f->local_folder) && !f->session_requested && answers;
	end_reaper(f, done && server_answers(f));
	warn_remains(f, gone, error, answers);
	f->lab->limit_ms = 0;
	json_decref(f->folders);
	placed_file_free_all(&f->placed);
	free(f->local_folder);
	free(f->folder);
	free(f->workspace);
	free(f->path);
	free(f->kernel_id);
	free(f->kernel);
	*f = (struct server_files){0};
}
