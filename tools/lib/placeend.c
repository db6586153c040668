/* placeend.c: what a run put on the server is taken away, also if it was killed. */
#include "placeend.h"
#include "watchdog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DEPTH = 20, END_MS = 5000, CLOSE_MS = 8000, GUARD_S = 20, GUARD_WAIT_MS = 3000, TEXT_BYTES = 1024 };

/* What the guard is told: that all is done, the session's id, a folder that was put
 * there, or where our folder lies on this machine. */
struct word {
	enum { DONE, SESSION, MADE, HERE } what;
	char text[TEXT_BYTES];
};

/* Over REST a link that a notebook made to a person's folder looks as a folder does:
 * only those of our own making are looked into.  Python's cache of modules lies
 * where they were imported. */
static bool
is_ours(const struct place *p, const char *path)
{
	const char *name = strrchr(path, '/');
	json_t *one;
	size_t i;
	json_array_foreach(p->made, i, one)
		if (strcmp(json_string_value(one), path) == 0)
			return true;
	return name && strcmp(name, "/__pycache__") == 0;
}

static bool
remove_one(struct place *p, const char *path)
{
	char *url = url_path("api/contents/", path);
	long status;
	json_decref(lab_call(p->lab, "DELETE", url, NULL, &status));
	free(url);
	return status == 404 || (status >= 200 && status < 300);
}

static void
remove_content(struct place *p, const char *path, int depth)
{
	char *url = url_path("api/contents/", path);
	json_t *model = depth < MOST_DEPTH ? lab_call(p->lab, "GET", url, NULL, NULL) : NULL, *item;
	size_t i;
	json_array_foreach(json_object_get(model, "content"), i, item) {
		const char *kind = json_string_value(json_object_get(item, "type"));
		const char *below = json_string_value(json_object_get(item, "path"));
		if (!kind || !below || strncmp(below, p->folder, strlen(p->folder)) != 0)
			continue;
		if (strcmp(kind, "directory") == 0 && is_ours(p, below))
			remove_content(p, below, depth + 1);
		remove_one(p, below);
	}
	json_decref(model);
	free(url);
}

/* On this machine without the server, which would put it all into the person's
 * trash; else as a whole, since a server follows no link then; else, where it
 * refuses this while something lies in it, what can be told to be ours. */
static bool
remove_folder(struct place *p)
{
	if (p->here && remove_tree(p->here) != 0)
		logline(LV_INFO, "cannot remove '%s':", p->here);
	if (!p->folder || remove_one(p, p->folder))
		return true;
	remove_content(p, p->folder, 0);
	return remove_one(p, p->folder);
}

/* A kernel that just died is being restarted, and its session may outlive one
 * DELETE: asked again until it is gone. */
static void
end_session(struct place *p)
{
	char *url = xasprintf("api/sessions/%s", p->session_id);
	uint64_t end = now_ns() + (uint64_t)END_MS * 1000000u;
	long status = 0;
	do {
		json_decref(lab_call(p->lab, "DELETE", url, NULL, NULL));
		json_decref(lab_call(p->lab, "GET", url, NULL, &status));
	} while (status != 404 && status != 0 && now_ns() < end);
	free(url);
}

/* One that does not answer now is asked for nothing more. */
static bool
answers(struct place *p)
{
	long status;
	json_decref(lab_call(p->lab, "GET", "api", NULL, &status));
	return status != 0;
}

static void
end_workspace(struct place *p)
{
	char *url = xasprintf("lab/api/workspaces/%s", p->workspace);
	json_decref(lab_call(p->lab, "DELETE", url, NULL, NULL));
	free(url);
}

/* ---- if we are killed -------------------------------------------------------- */

static void
tell_guard(const struct place *p, int what, const char *text)
{
	struct word w = {.what = what};
	size_t n = strlen(text);
	if (p->guard_fd <= 0 || n >= sizeof w.text)
		return;
	memcpy(w.text, text, n);
	if (write(p->guard_fd, &w, sizeof w) < 0)
		logline(LV_WARNING, "the guard is gone:");
}

void
place_tell_guard(const struct place *p)
{
	if (p->session_id)
		tell_guard(p, SESSION, p->session_id);
}

void
place_made(struct place *p, const char *path)
{
	if (!p->made)
		p->made = json_array();
	json_array_append_new(p->made, json_string(path));
	tell_guard(p, MADE, path);
}

void
place_here(struct place *p, pid_t kernel)
{
	char *cwd = xasprintf("/proc/%ld/cwd", (long)kernel), path[TEXT_BYTES];
	ssize_t n = kernel ? readlink(cwd, path, sizeof path - 1) : -1;
	struct stat its, here;
	path[n > 0 ? n : 0] = '\0';
	const char *name = strrchr(path, '/');
	/* A container's kernel may tell a path that is another's here. */
	if (p->folder && name && strcmp(name + 1, p->folder) == 0 && stat(cwd, &its) == 0 && lstat(path, &here) == 0 &&
	    its.st_dev == here.st_dev && its.st_ino == here.st_ino) {
		p->here = xstrdup(path);
		tell_guard(p, HERE, path);
	}
	free(cwd);
}

/* The sessions of notebooks in our folder; false when the server does not answer. */
static bool
end_sessions(struct place *p)
{
	json_t *all = lab_call(p->lab, "GET", "api/sessions", NULL, NULL), *s;
	size_t i, n = p->folder ? strlen(p->folder) : 0;
	json_array_foreach(all, i, s) {
		const char *path = json_string_value(json_object_get(s, "path"));
		const char *id = json_string_value(json_object_get(s, "id"));
		if (n && path && id && strncmp(path, p->folder, n) == 0 && path[n] == '/') {
			char *url = xasprintf("api/sessions/%s", id);
			json_decref(lab_call(p->lab, "DELETE", url, NULL, NULL));
			free(url);
		}
	}
	bool answered = all != NULL;
	json_decref(all);
	return answered;
}

/* What was asked for just before may come into being only after a first look: a
 * kernel that was being started, a workspace that the page saves once more. */
static void
guard_main(int fd, void *arg)
{
	static const long again_ms[] = {0, 300, 700, 1000, 1500};
	struct place *p = arg;
	struct word w;
	ssize_t n;
	while ((n = read(fd, &w, sizeof w)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n != (ssize_t)sizeof w || w.what == DONE)
			return;
		if (w.what == SESSION)
			p->session_id = xstrdup(w.text);
		else if (w.what == HERE)
			p->here = xstrdup(w.text);
		else
			place_made(p, w.text);
	}
	alarm(GUARD_S);
	p->lab->http = http_again(p->lab->http);
	size_t rounds = p->session_id ? 3 : COUNT(again_ms);
	for (size_t i = 0, answered = 0; answered < rounds; i++) {
		pause_ms(again_ms[i < COUNT(again_ms) ? i : COUNT(again_ms) - 1]);
		if (i == 0 && p->session_id)
			end_session(p);
		if (!end_sessions(p)) {
			if (p->lab->held)
				return;
			continue;
		}
		answered++;
		remove_folder(p);
		end_workspace(p);
	}
}

void
place_guard(struct place *p)
{
	int fd = watchdog(guard_main, p, &p->guard);
	if (fd < 0)
		die(ST_SYSTEM, "cannot start the guard of what is on the server:");
	p->guard_fd = fd;
}

/* What could not be taken away, since the server does not answer or we do not know
 * its name, is left to the guard, which goes on asking for GUARD_S. */
static void
end_guard(struct place *p, bool all_gone)
{
	struct word done = {.what = DONE};
	if (p->guard_fd > 0 && p->page_stays)
		close(p->guard_fd);	/* it looks again when the page is gone, too */
	else if (p->guard_fd > 0 && (!all_gone || write(p->guard_fd, &done, sizeof done) >= 0))
		watchdog_end(p->guard_fd, p->guard, GUARD_WAIT_MS);
}

void
place_end_kernel(struct place *p)
{
	p->lab->limit_ms = CLOSE_MS;
	if (p->session_id)
		end_session(p);
	free(p->session_id);
	p->session_id = NULL;
	p->lab->limit_ms = 0;
}

void
place_close(struct place *p)
{
	place_end_kernel(p);
	p->lab->limit_ms = CLOSE_MS;
	bool there = answers(p);
	if (there && !remove_folder(p))
		warn("'%s' stays on the server: %s", p->folder, p->lab->error);
	if (p->workspace && there)
		end_workspace(p);
	end_guard(p, !p->starting && there && answers(p));
	p->lab->limit_ms = 0;
	json_decref(p->made);
	free(p->here);
	free(p->folder);
	free(p->workspace);
	free(p->path);
	free(p->kernel_id);
	free(p->kernel);
	*p = (struct place){0};
}
