/* adopted_notebook.c: a notebook that is on the server already, and stays its user's. */
#include "adopted_notebook.h"
#include "base/die.h"
#include "jupyter/contents.h"
#include "server/server_cleanup.h"

#include <stdlib.h>
#include <string.h>

/* The session of the notebook, the caller's; NULL: none. */
static json_t *
find_session(struct server_files *f)
{
	json_t *all = lab_call(f->lab, "GET", "api/sessions", NULL, NULL), *s, *found = NULL;
	size_t i;
	json_array_foreach(all, i, s) {
		const char *path = json_string_value(json_object_get(s, "path"));
		if (path && strcmp(path, f->path) == 0)
			found = s;
	}
	json_incref(found);
	json_decref(all);
	return found;
}

int
adopted_notebook_open(struct server_files *f, struct lab *lab, const char *path)
{
	*f = (struct server_files){.lab = lab, .workspace = server_files_new_name(),
	    .path = xstrdup(path)};
	json_t *model = contents_describe(f->lab, f->path);
	json_t *session = model ? find_session(f) : NULL;
	const char *type = json_string_value(json_object_get(model, "type"));
	bool is_notebook = type && strcmp(type, "notebook") == 0;
	if (model && !is_notebook)
		lab_set_error(lab, "'%.300s' on the server is not a notebook", path);
	/* An existing session and its kernel belong to the user. */
	f->session_is_users = session != NULL;
	server_cleanup_start_reaper(f);
	json_decref(session);
	json_decref(model);
	return is_notebook ? 0 : -1;
}

void
adopted_notebook_find_kernel(struct server_files *f)
{
	json_t *session = find_session(f), *kernel = json_object_get(session, "kernel");
	const char *id = json_string_value(json_object_get(session, "id"));
	const char *kernel_id = json_string_value(json_object_get(kernel, "id"));
	const char *name = json_string_value(json_object_get(kernel, "name"));
	f->session_id = id && !f->session_is_users ? xstrdup(id) : NULL;
	server_cleanup_note_session(f);
	f->kernel_id = kernel_id ? xstrdup(kernel_id) : NULL;
	f->kernel = name ? xstrdup(name) : NULL;
	json_decref(session);
}
