/* contents.c: files and folders on a Jupyter server, by its contents API. */
#include "jupyter/contents.h"
#include "base/die.h"
#include "net/url.h"

/* Takes the body. */
static json_t *
send_model(struct lab *l, const char *method, const char *path, json_t *body)
{
	char *url = url_path("api/contents/", path);
	json_t *answer = lab_call(l, method, url, body, NULL);
	free(url);
	return answer;
}

json_t *
contents_put(struct lab *l, const char *path, json_t *model)
{
	return send_model(l, "PUT", path, model);
}

int
contents_put_folder(struct lab *l, const char *path)
{
	json_t *model = contents_put(l, path, json_pack("{s:s}", "type", "directory"));
	json_decref(model);
	return model ? 0 : -1;
}

static json_t *
get_model(struct lab *l, const char *path, const char *query)
{
	char *plain = url_path("api/contents/", path), *url = xasprintf("%s%s", plain, query);
	json_t *model = lab_call(l, "GET", url, NULL, NULL);
	free(plain);
	free(url);
	return model;
}

json_t *
contents_get(struct lab *l, const char *path)
{
	return get_model(l, path, "");
}

json_t *
contents_describe(struct lab *l, const char *path)
{
	return get_model(l, path, "?content=0");
}

int
contents_rename(struct lab *l, const char *from, const char *to)
{
	json_t *model = send_model(l, "PATCH", from, json_pack("{s:s}", "path", to));
	json_decref(model);
	return model ? 0 : -1;
}

bool
contents_remove(struct lab *l, const char *path)
{
	char *url = url_path("api/contents/", path);
	long status;
	json_decref(lab_call(l, "DELETE", url, NULL, &status));
	free(url);
	return status == 404 || (status >= 200 && status < 300);
}

/* The server chooses the name of a copy. */
int
contents_copy(struct lab *l, const char *from, const char *to)
{
	const char *slash = strrchr(to, '/');
	char *folder = xasprintf("%.*s", slash ? (int)(slash - to) : 0, to);
	json_t *model = send_model(l, "POST", folder, json_pack("{s:s}", "copy_from", from));
	const char *copy = json_string_value(json_object_get(model, "path"));
	int bad = copy ? contents_rename(l, copy, to) : -1;
	if (copy && bad)
		contents_remove(l, copy);
	json_decref(model);
	free(folder);
	return bad;
}
