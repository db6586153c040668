/* file_upload.c: a file is uploaded to the server. */
#include "server/file_upload.h"
#include "base/die.h"
#include "jupyter/contents.h"
#include "text/base64.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
file_upload(struct lab *l, const char *local, const char *path)
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
