/* tab.c: the tabs of a browser that was joined. */
#include "listen.h"

#include <stdlib.h>
#include <string.h>

enum { CALL_MS = 30000 };

static int
go_to(struct wd *w, const char *handle)
{
	json_t *body = json_pack("{s:s}", "handle", handle);
	json_t *done = wd_call(w, "POST", "window", body, CALL_MS);
	json_decref(body);
	json_decref(done);
	return done ? 0 : -1;
}

/* Is `name` the path's last part, or its last parts? */
static bool
ends_in(const char *path, const char *name)
{
	while (name[0] == '/' || strncmp(name, "./", 2) == 0)
		name += name[0] == '/' ? 1 : 2;
	size_t n = strlen(path), m = strlen(name);
	return n >= m && strcmp(path + n - m, name) == 0 && (n == m || path[n - m - 1] == '/');
}

json_t *
tab_find(struct wd *w, const char *name)
{
	json_t *handles = wd_call(w, "GET", "window/handles", NULL, CALL_MS), *handle, *found = NULL;
	const char *at = NULL;
	size_t i;
	json_array_foreach(handles, i, handle) {
		json_t *where = go_to(w, json_string_value(handle)) == 0 ? wd_async(w, page_where_js, NULL, CALL_MS) : NULL;
		const char *path = json_string_value(json_object_get(where, "path"));
		bool fits = path && (!name || ends_in(path, name));
		if (fits && (!found || json_is_true(json_object_get(where, "visible")))) {
			json_decref(found);
			found = json_incref(where);
			at = json_string_value(handle);
		}
		json_decref(where);
	}
	if (found && go_to(w, at) != 0) {
		json_decref(found);
		found = NULL;
	}
	json_decref(handles);
	return found;
}

int
tab_open(struct wd *w)
{
	json_t *body = json_pack("{s:s}", "type", "tab");
	json_t *made = wd_call(w, "POST", "window/new", body, CALL_MS);
	const char *handle = json_string_value(json_object_get(made, "handle"));
	int bad = handle ? go_to(w, handle) : -1;
	json_decref(body);
	json_decref(made);
	return bad;
}

void
tab_close(struct wd *w)
{
	json_decref(wd_call(w, "DELETE", "window", NULL, CALL_MS));
}
