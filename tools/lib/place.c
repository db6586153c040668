/* place.c: what a run puts on the server; placeend.c takes it away. */
#include "placeend.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CHUNK_BYTES = 6 << 20, MOST_DEPTH = 20, INTERRUPT_MS = 5000 };

char *
url_path(const char *prefix, const char *path)
{
	struct buf b = {0};
	buf_addf(&b, "%s", prefix);
	for (const unsigned char *p = (const unsigned char *)path; *p; p++)
		if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/", *p))
			buf_add(&b, p, 1);
		else
			buf_addf(&b, "%%%02X", *p);
	return b.p;
}

static int
put(struct place *p, const char *path, json_t *model)
{
	char *url = url_path("api/contents/", path);
	json_t *done = lab_call(p->lab, "PUT", url, model, NULL);
	json_decref(model);
	json_decref(done);
	free(url);
	return done ? 0 : -1;
}

static int
put_folder(struct place *p, const char *path)
{
	place_made(p, path);
	return put(p, path, json_pack("{s:s}", "type", "directory"));
}

/* In chunks, so that a large file needs little memory on either side. */
static int
put_file(struct place *p, const char *local, const char *path)
{
	FILE *f = fopen(local, "rbe");
	if (!f) {
		snprintf(p->lab->error, sizeof p->lab->error, "cannot open '%s': %s", local, strerror(errno));
		return -1;
	}
	unsigned char *data = xmalloc(CHUNK_BYTES);
	size_t n = fread(data, 1, CHUNK_BYTES, f);
	int bad = 0;
	for (json_int_t chunk = 1; !bad; chunk++) {
		int next = getc(f);
		bool last = next == EOF;
		char *text = base64_encode(data, n);
		json_t *model = json_pack("{s:s, s:s, s:s}", "type", "file", "format", "base64", "content", text);
		if (!(last && chunk == 1))
			json_object_set_new(model, "chunk", json_integer(last ? -1 : chunk));
		free(text);
		bad = put(p, path, model);
		if (last)
			break;
		data[0] = (unsigned char)next;
		n = 1 + fread(data + 1, 1, CHUNK_BYTES - 1, f);
	}
	bad = bad || ferror(f);
	fclose(f);
	free(data);
	return bad ? -1 : 0;
}

static int
put_tree(struct place *p, const char *local, const char *path, int depth)
{
	struct stat st;
	if (stat(local, &st) != 0) {
		snprintf(p->lab->error, sizeof p->lab->error, "cannot read '%s': %s", local, strerror(errno));
		return -1;
	}
	if (!S_ISDIR(st.st_mode))
		return put_file(p, local, path);
	if (depth > 0 && put_folder(p, path) != 0)
		return -1;
	DIR *d = opendir(local);
	if (!d || depth >= MOST_DEPTH) {
		snprintf(p->lab->error, sizeof p->lab->error, "cannot read '%s': %s", local, d ? "folders too deep" : strerror(errno));
		if (d)
			closedir(d);
		return -1;
	}
	int bad = 0;
	for (struct dirent *e; !bad && (e = readdir(d)); ) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || strcmp(e->d_name, "__pycache__") == 0)
			continue;
		char *l = xasprintf("%s/%s", local, e->d_name), *r = xasprintf("%s/%s", path, e->d_name);
		bad = put_tree(p, l, r, depth + 1);
		free(l);
		free(r);
	}
	closedir(d);
	return bad;
}

int
place_put(struct place *p, const char *local, const char *as)
{
	char *path = as && *as ? xasprintf("%s/%s", p->folder, as) : xstrdup(p->folder);
	int bad = put_tree(p, local, path, 0);
	free(path);
	return bad;
}

int
place_open(struct place *p, struct lab *lab, const char *name, const json_t *notebook, const char *kernel)
{
	char tag[17];
	xrandom_hex(tag, 16);
	*p = (struct place){.lab = lab, .folder = xasprintf("nbscope-%s", tag), .kernel = kernel ? xstrdup(kernel) : NULL};
	p->path = xasprintf("%s/%s", p->folder, name);
	p->workspace = xstrdup(p->folder);
	place_guard(p);
	if (put_folder(p, p->folder) != 0)
		return -1;
	return put(p, p->path, json_pack("{s:s, s:s, s:O}", "type", "notebook", "format", "json", "content", notebook));
}

int
place_start(struct place *p, const char *kernel)
{
	const char *name = strchr(p->path, '/') + 1;
	json_t *k = kernel ? json_pack("{s:s}", "name", kernel) : json_object();
	json_t *body = json_pack("{s:s, s:s, s:s, s:o}", "path", p->path, "name", name, "type", "notebook", "kernel", k);
	long status;
	p->starting = true;
	json_t *s = lab_call(p->lab, "POST", "api/sessions", body, &status), *id = json_object_get(json_object_get(s, "kernel"), "id");
	p->starting = status < 300;	/* else it was refused */
	json_decref(body);
	if (!s || !json_is_string(id)) {
		char *reason = xstrdup(p->lab->error);
		if (!kernel || lab_has_kernel(p->lab, kernel))
			snprintf(p->lab->error, sizeof p->lab->error, "cannot start a kernel '%.80s': %.380s", kernel ? kernel : "default", reason);
		free(reason);
		json_decref(s);
		return -1;
	}
	p->kernel_id = xstrdup(json_string_value(id));
	const char *sid = json_string_value(json_object_get(s, "id"));
	const char *kname = json_string_value(json_object_get(json_object_get(s, "kernel"), "name"));
	p->session_id = xstrdup(sid ? sid : "");
	p->starting = false;
	place_tell_guard(p);
	free(p->kernel);
	p->kernel = xstrdup(kname ? kname : kernel ? kernel : "");
	json_decref(s);
	return 0;
}

/* The session of the notebook; NULL: none.  The caller's. */
static json_t *
session_of(struct place *p)
{
	json_t *all = lab_call(p->lab, "GET", "api/sessions", NULL, NULL), *s, *found = NULL;
	size_t i;
	json_array_foreach(all, i, s) {
		const char *path = json_string_value(json_object_get(s, "path"));
		if (path && strcmp(path, p->path) == 0)
			found = s;
	}
	json_incref(found);
	json_decref(all);
	return found;
}

/* A session of before is another's, and so is what it runs. */
int
place_adopt(struct place *p, struct lab *lab, const char *path)
{
	char tag[17], *url;
	xrandom_hex(tag, 16);
	*p = (struct place){.lab = lab, .workspace = xasprintf("nbscope-%s", tag), .path = xstrdup(path)};
	char *plain = url_path("api/contents/", path);
	json_t *model = lab_call(lab, "GET", url = xasprintf("%s?content=0", plain), NULL, NULL);
	json_t *session = model ? session_of(p) : NULL;
	const char *type = json_string_value(json_object_get(model, "type"));
	int bad = type && strcmp(type, "notebook") == 0 ? 0 : -1;
	if (model && bad)
		snprintf(lab->error, sizeof lab->error, "'%.300s' on the server is no notebook", path);
	p->not_ours = session != NULL;
	place_guard(p);
	json_decref(session);
	json_decref(model);
	free(plain);
	free(url);
	return bad;
}

void
place_adopt_kernel(struct place *p)
{
	json_t *s = session_of(p), *kernel = json_object_get(s, "kernel");
	const char *id = json_string_value(json_object_get(s, "id")), *name = json_string_value(json_object_get(kernel, "name"));
	const char *kernel_id = json_string_value(json_object_get(kernel, "id"));
	p->session_id = id && !p->not_ours ? xstrdup(id) : NULL;
	place_tell_guard(p);
	p->kernel_id = kernel_id ? xstrdup(kernel_id) : NULL;
	p->kernel = name ? xstrdup(name) : NULL;
	json_decref(s);
}

int
place_interrupt(struct place *p)
{
	char *url = xasprintf("api/kernels/%s/interrupt", p->kernel_id);
	p->lab->limit_ms = INTERRUPT_MS;
	json_t *done = lab_call(p->lab, "POST", url, NULL, NULL);
	p->lab->limit_ms = 0;
	free(url);
	json_decref(done);
	return done ? 0 : -1;
}

json_t *
place_get(struct place *p)
{
	char *url = url_path("api/contents/", p->path);
	json_t *model = lab_call(p->lab, "GET", url, NULL, NULL);
	json_t *content = json_incref(json_object_get(model, "content"));
	json_decref(model);
	free(url);
	return content;
}

char *
place_modified(struct place *p)
{
	char *plain = url_path("api/contents/", p->path), *url = xasprintf("%s?content=0", plain);
	json_t *model = lab_call(p->lab, "GET", url, NULL, NULL);
	const char *when = json_string_value(json_object_get(model, "last_modified"));
	char *copy = when ? xstrdup(when) : NULL;
	json_decref(model);
	free(plain);
	free(url);
	return copy;
}
