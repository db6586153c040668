/* browser_tab.c: the tabs of a browser that was joined. */
#include "browser_tab.h"
#include "browser/page_script.h"

#include <string.h>

enum { CALL_MS = 30000 };

static int
switch_to(struct wd *w, const char *handle)
{
	return wd_do(w, "POST", "window", json_pack("{s:s}", "handle", handle), CALL_MS);
}

/* Whether `name` is the path's last component, or its last components. */
static bool
ends_with_path(const char *path, const char *name)
{
	while (name[0] == '/' || strncmp(name, "./", 2) == 0)
		name += name[0] == '/' ? 1 : 2;
	size_t n = strlen(path), m = strlen(name);
	return n >= m && strcmp(path + n - m, name) == 0 && (n == m || path[n - m - 1] == '/');
}

json_t *
browser_tab_find(struct wd *w, const char *name)
{
	json_t *handles = wd_call(w, "GET", "window/handles", NULL, CALL_MS), *tab, *found = NULL;
	const char *found_handle = NULL;
	size_t i;
	json_array_foreach(handles, i, tab) {
		const char *handle = json_string_value(tab);
		json_t *where = NULL;
		if (switch_to(w, handle) == 0)
			where = wd_script_async(w, page_where_js, NULL, CALL_MS);
		const char *path = json_string_value(json_object_get(where, "path"));
		bool matches = path && (!name || ends_with_path(path, name));
		if (matches && (!found || json_is_true(json_object_get(where, "visible")))) {
			json_decref(found);
			found = json_incref(where);
			found_handle = handle;
		}
		json_decref(where);
	}
	if (found && switch_to(w, found_handle) != 0) {
		json_decref(found);
		found = NULL;
	}
	json_decref(handles);
	return found;
}

int
browser_tab_open(struct wd *w)
{
	json_t *tab = wd_call(w, "POST", "window/new", json_pack("{s:s}", "type", "tab"), CALL_MS);
	const char *handle = json_string_value(json_object_get(tab, "handle"));
	int bad = handle ? switch_to(w, handle) : -1;
	json_decref(tab);
	return bad;
}
