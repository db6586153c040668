/* placed_file.c: the files that a notebook finds next to it, and how they got there. */
#include "server/placed_file.h"
#include "base/clock.h"
#include "base/die.h"
#include "json/json_value.h"
#include "jupyter/contents.h"
#include "server/file_store.h"
#include "server/local_file.h"
#include "text/base64.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Smaller files are copied: that takes a millisecond, and the notebook may change them. */
enum { MIN_LINKED_BYTES = 1 << 20 };
/* A server reads a file that it copies into its memory, in base64. */
enum { MAX_COPIED_THERE_BYTES = 256 << 20, CHUNK_BYTES = 6 << 20 };

/* Whether the server finds what the link leads to: in a container it may not be there. */
static bool
server_sees(struct lab *l, const char *path)
{
	json_t *model = contents_describe(l, path);
	json_decref(model);
	return model;
}

/* Only what nobody could change by accident: a notebook may open its files for writing. */
static int
link_file(struct lab *l, const char *local, const char *there, const char *path)
{
	if (faccessat(AT_FDCWD, local, W_OK, AT_EACCESS) == 0 ||
	    (errno != EACCES && errno != EROFS))
		return -1;
	char *target = realpath(local, NULL);
	int bad = target ? symlink(target, there) : -1;
	if (!bad && !server_sees(l, path)) {
		unlink(there);
		bad = -1;
	}
	free(target);
	return bad;
}

static int
copy_file(struct lab *l, const char *local, const char *there, const struct stat *st)
{
	int bad = local_file_copy(local, there, st);
	if (bad)
		lab_set_error(l, "cannot copy '%s' to '%s': %s", local, there, strerror(errno));
	return bad;
}

/* The first way that works, from the cheapest on. */
static int
place_here(struct placed_file *p, struct lab *l, const char *root, const char *local,
    const struct stat *st)
{
	char *there = xasprintf("%s/%s", root, p->path);
	bool large = p->bytes >= MIN_LINKED_BYTES;
	int bad = 0;
	unlink(there);	/* of two files with one name, the later one counts */
	if (large && link_file(l, local, there, p->path) == 0) {
		p->how = PLACED_LINKED;
	} else if (large && local_file_clone(local, there, st) == 0) {
		p->how = PLACED_CLONED;
	} else if (p->key && file_store_take(l, root, p->key, p->path) == 0) {
		p->how = PLACED_REUSED;
	} else {
		p->how = PLACED_COPIED;
		bad = copy_file(l, local, there, st);
	}
	free(there);
	return bad;
}

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

/* In chunks, so that a large file needs little memory on either side. 0, or -1: see lab->error. */
static int
upload_file(struct lab *l, const char *local, const char *path)
{
	FILE *file = fopen(local, "rbe");
	if (!file) {
		lab_set_error(l, "cannot open '%s': %s", local, strerror(errno));
		return -1;
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
	json_decref(model);
	return model ? 0 : -1;
}

/* From another file of this run that has the same content. */
static int
copy_there(struct placed_file *p, const struct placed_files *all, struct lab *l)
{
	p->how = PLACED_COPIED;
	for (size_t i = 0; p->bytes <= MAX_COPIED_THERE_BYTES && i < all->n; i++) {
		const char *key = all->v[i].key;
		if (key && file_store_is_same(key, p->key))
			return contents_copy(l, all->v[i].path, p->path);
	}
	return -1;
}

/* Whether the server had the file's content, under whatever name. */
static bool
reuse_elsewhere(struct placed_file *p, const struct placed_files *all, struct lab *l,
    const char *local)
{
	char *name = file_store_name(l, p->key, local);
	free(p->key);
	p->key = name;
	if (!name)
		return false;
	p->how = PLACED_REUSED;
	const char *same = file_store_same(l, name);
	bool taken = same && (file_store_take(l, NULL, name, p->path) == 0 ||
	    file_store_take(l, NULL, same, p->path) == 0);
	return taken || copy_there(p, all, l) == 0;
}

static int
place_elsewhere(struct placed_file *p, const struct placed_files *all, struct lab *l,
    const char *local)
{
	if (p->key && reuse_elsewhere(p, all, l, local))
		return 0;
	p->how = PLACED_UPLOADED;
	return upload_file(l, local, p->path);
}

int
placed_file_add(struct placed_files *all, struct lab *l, const char *local, const struct stat *st,
    const char *path)
{
	uint64_t start_ns = clock_monotonic_ns();
	struct placed_file p = {.path = xstrdup(path), .key = file_store_key(st),
	    .bytes = st->st_size};
	int bad = all->root && S_ISREG(st->st_mode) ? place_here(&p, l, all->root, local, st) :
	    place_elsewhere(&p, all, l, local);
	bool stays = p.how == PLACED_LINKED || p.how == PLACED_CLONED;
	if (bad || stays) {
		free(p.key);
		p.key = NULL;
	}
	p.mark = p.key ? file_store_mark(l, all->root, path) : NULL;
	*XAPPEND(all->v, all->n) = p;
	all->ms += (double)(clock_monotonic_ns() - start_ns) / 1e6;
	return bad;
}

void
placed_file_drop_all(struct placed_files *all)
{
	all->cold = true;
	all->resident = all->root ? 0 : -1;
	for (size_t i = 0; all->root && i < all->n; i++) {
		char *here = xasprintf("%s/%s", all->root, all->v[i].path);
		off_t resident = local_file_drop_cache(here);
		all->resident = all->resident < 0 || resident < 0 ? -1 :
		    all->resident + resident;
		free(here);
	}
}

void
placed_file_keep_all(struct placed_files *all, struct lab *l)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct placed_file *p = &all->v[i];
		json_t *mark = p->key && p->mark ? file_store_mark(l, all->root, p->path) : NULL;
		if (mark && json_equal(mark, p->mark))
			file_store_keep(l, all->root, p->key, p->path);
		json_decref(mark);
	}
}

json_t *
placed_file_record(const struct placed_files *all)
{
	off_t bytes[PLACED_WAYS] = {0};
	if (!all->n)
		return json_null();
	for (size_t i = 0; i < all->n; i++)
		bytes[all->v[i].how] += all->v[i].bytes;
	json_t *cold = !all->cold ? json_null() : json_pack("{s:o, s:o}",
	    "resident_bytes", all->resident < 0 ? json_null() : json_integer(all->resident),
	    "reason", json_value_text(all->resident >= 0 ? NULL : all->root ?
	    "the system does not say it of files of other users" :
	    "the server is not on this machine"));
	return json_pack("{s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:o}", "count", (json_int_t)all->n,
	    "took_ms", json_value_ms(all->ms),
	    "linked_bytes", (json_int_t)bytes[PLACED_LINKED],
	    "cloned_bytes", (json_int_t)bytes[PLACED_CLONED],
	    "reused_bytes", (json_int_t)bytes[PLACED_REUSED],
	    "copied_bytes", (json_int_t)bytes[PLACED_COPIED],
	    "uploaded_bytes", (json_int_t)bytes[PLACED_UPLOADED], "cold", cold);
}

void
placed_file_free_all(struct placed_files *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free(all->v[i].path);
		free(all->v[i].key);
		json_decref(all->v[i].mark);
	}
	free(all->v);
	free(all->root);
	*all = (struct placed_files){0};
}
