/* placeend.c: what a run put on the server is taken away, also if it was killed. */
#include "placeend.h"
#include "watchdog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DEPTH = 20, END_MS = 5000, CLOSE_MS = 8000, GUARD_S = 20, GUARD_WAIT_MS = 3000, ID_BYTES = 200 };

/* What the guard is told: a session that is ours, or (no session) all is done. */
struct word {
	char session[ID_BYTES];
};

/* Files first: a server may refuse to remove a folder that is not empty. */
static void
remove_remote(struct place *p, const char *path, int depth)
{
	char *url = url_path("api/contents/", path);
	json_t *model = depth < MOST_DEPTH ? lab_call(p->lab, "GET", url, NULL, NULL) : NULL, *item;
	const char *type = json_string_value(json_object_get(model, "type"));
	size_t i;
	if (type && strcmp(type, "directory") == 0)
		json_array_foreach(json_object_get(model, "content"), i, item) {
			const char *kind = json_string_value(json_object_get(item, "type"));
			const char *below = json_string_value(json_object_get(item, "path"));
			if (!kind || !below || strncmp(below, p->folder, strlen(p->folder)) != 0)
				continue;
			if (strcmp(kind, "directory") == 0) {
				remove_remote(p, below, depth + 1);
				continue;
			}
			char *file = url_path("api/contents/", below);
			json_decref(lab_call(p->lab, "DELETE", file, NULL, NULL));
			free(file);
		}
	json_decref(model);
	json_decref(lab_call(p->lab, "DELETE", url, NULL, NULL));
	free(url);
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

void
place_tell_guard(const struct place *p)
{
	struct word w = {0};
	snprintf(w.session, sizeof w.session, "%s", p->session_id ? p->session_id : "");
	if (p->guard_fd > 0 && p->session_id && write(p->guard_fd, &w, sizeof w) < 0)
		logline(LV_WARNING, "the guard is gone:");
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
		if (n != (ssize_t)sizeof w || !*w.session)
			return;
		free(p->session_id);
		p->session_id = xstrdup(w.session);
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
		if (p->folder)
			remove_remote(p, p->folder, 0);
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

/* What could not be taken away, since the server does not answer, is left to the
 * guard, which goes on asking for GUARD_S. */
static void
end_guard(struct place *p, bool all_gone)
{
	struct word done = {0};
	if (p->guard_fd > 0 && (!all_gone || write(p->guard_fd, &done, sizeof done) >= 0))
		watchdog_end(p->guard_fd, p->guard, GUARD_WAIT_MS);
}

void
place_close(struct place *p)
{
	p->lab->limit_ms = CLOSE_MS;
	if (p->session_id)
		end_session(p);
	bool there = answers(p);
	if (p->folder && there)
		remove_remote(p, p->folder, 0);
	if (p->workspace && there)
		end_workspace(p);
	end_guard(p, there && answers(p));
	p->lab->limit_ms = 0;
	free(p->folder);
	free(p->workspace);
	free(p->path);
	free(p->session_id);
	free(p->kernel_id);
	free(p->kernel);
	*p = (struct place){0};
}
