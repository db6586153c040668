/* contents.c: files and folders on a Jupyter server, by its contents API. */
#include "jupyter/contents.h"
#include "base/die.h"
#include "json/json_text.h"
#include "net/url.h"
#include "text/base64.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Owns the body. */
static json_t *
send_model(struct lab *l, const char *method, const char *path, json_t *body)
{
	char *url = url_path("api/contents/", path), *text = json_text_of(body);
	json_t *answer = lab_call(l, method, url, text, NULL);
	json_decref(body);
	free(text);
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

enum { CHUNK_BYTES = 6 << 20 };

/* One chunk of several, of which the last has the number -1; 0: it is the whole file. */
static json_t *
put_chunk(struct lab *l, const char *path, const unsigned char *data, size_t n, json_int_t chunk)
{
	char *text = base64_encode(data, n);
	json_t *model = json_pack("{s:s, s:s, s:s}", "type", "file", "format", "base64",
	    "content", text);
	if (chunk)
		json_object_set_new(model, "chunk", json_integer(chunk));
	free(text);
	return contents_put(l, path, model);
}

json_t *
contents_upload(struct lab *l, const char *local, const char *path)
{
	FILE *file = fopen(local, "rbe");
	if (!file) {
		lab_set_error(l, "cannot open '%s': %s", local, strerror(errno));
		return NULL;
	}
	unsigned char *data = xmalloc(CHUNK_BYTES);
	size_t n = fread(data, 1, CHUNK_BYTES, file);
	json_t *model = NULL;
	bool last = false;
	for (json_int_t chunk = 1; !last; chunk++) {
		int next = getc(file);
		last = next == EOF;
		json_decref(model);
		model = put_chunk(l, path, data, n, !last ? chunk : chunk == 1 ? 0 : -1);
		if (!model || last)
			break;
		data[0] = (unsigned char)next;
		n = 1 + fread(data + 1, 1, CHUNK_BYTES - 1, file);
	}
	if (model && ferror(file)) {
		lab_set_error(l, "cannot read '%s'", local);
		json_decref(model);
		model = NULL;
	}
	fclose(file);
	free(data);
	return model;
}
