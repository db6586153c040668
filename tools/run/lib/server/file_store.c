/* file_store.c: copies of large files, kept on the server from one run to the next. */
#include "server/file_store.h"
#include "base/die.h"
#include "jupyter/contents.h"

#include <errno.h>
#include <sha2.h>
#include <stdio.h>

/* Below this, a copy takes about as long as moving one. */
enum { MIN_BYTES = 1 << 20 };
enum { SEPARATOR = '_' };	/* between a key and a digest */

static const char *
store_name(void)
{
	const char *name = getenv("LABSERVE_STORE");
	return name && *name ? name : NULL;
}

char *
file_store_key(const struct stat *st)
{
	if (!store_name() || st->st_size < MIN_BYTES)
		return NULL;
	return xasprintf("%jx-%jx-%jx-%jx.%lx-%jx.%lx", (uintmax_t)st->st_dev,
	    (uintmax_t)st->st_ino, (uintmax_t)st->st_size,
	    (uintmax_t)st->st_mtim.tv_sec, (unsigned long)st->st_mtim.tv_nsec,
	    (uintmax_t)st->st_ctim.tv_sec, (unsigned long)st->st_ctim.tv_nsec);
}

/* The copies on a server elsewhere, as when the first was requested: an array of names. */
static const json_t *
stored_names(struct lab *l)
{
	static json_t *names;
	if (names)
		return names;
	names = json_array();
	json_t *folder = contents_get(l, store_name()), *file;
	size_t i;
	json_array_foreach(json_object_get(folder, "content"), i, file)
		json_array_append(names, json_object_get(file, "name"));
	json_decref(folder);
	return names;
}

char *
file_store_name(struct lab *l, const char *key, const char *local)
{
	size_t i, n = strlen(key);
	json_t *item;
	json_array_foreach(stored_names(l), i, item) {
		const char *name = json_string_value(item);
		if (name && strncmp(name, key, n) == 0 && name[n] == SEPARATOR)
			return xstrdup(name);
	}
	char hex[SHA256_DIGEST_STRING_LENGTH];
	return SHA256File(local, hex) ? xasprintf("%s%c%s", key, SEPARATOR, hex) : NULL;
}

bool
file_store_is_same(const char *name, const char *other)
{
	const char *digest = strchr(name, SEPARATOR), *digest2 = strchr(other, SEPARATOR);
	return digest && digest2 && strcmp(digest, digest2) == 0;
}

const char *
file_store_same(struct lab *l, const char *name)
{
	size_t i;
	json_t *item;
	json_array_foreach(stored_names(l), i, item)
		if (json_is_string(item) && file_store_is_same(json_string_value(item), name))
			return json_string_value(item);
	return NULL;
}

/* The system moves files on this machine, the server those elsewhere.  Paths are the server's. */
static int
move_file(struct lab *l, const char *root, const char *from, const char *to)
{
	if (!root)
		return contents_rename(l, from, to);
	char *here = xasprintf("%s/%s", root, from), *there = xasprintf("%s/%s", root, to);
	int bad = rename(here, there);
	free(here);
	free(there);
	return bad;
}

int
file_store_take(struct lab *l, const char *root, const char *key, const char *path)
{
	char *kept = xasprintf("%s/%s", store_name(), key);
	int bad = move_file(l, root, kept, path);
	free(kept);
	return bad;
}

static int
make_store(struct lab *l, const char *root)
{
	if (!root)
		return contents_put_folder(l, store_name());
	char *folder = xasprintf("%s/%s", root, store_name());
	int bad = mkdir(folder, 0700) != 0 && errno != EEXIST;
	free(folder);
	return bad ? -1 : 0;
}

/* A copy that cannot be kept is removed with the rest of the run's folder. */
void
file_store_keep(struct lab *l, const char *root, const char *key, const char *path)
{
	char *kept = xasprintf("%s/%s", store_name(), key);
	if (make_store(l, root) != 0 || move_file(l, root, path, kept) != 0)
		log_at(LOG_LEVEL_INFO, "'%s' is not kept for the next run", path);
	free(kept);
}

json_t *
file_store_mark(struct lab *l, const char *root, const char *path)
{
	if (!root) {
		json_t *model = contents_describe(l, path);
		json_t *mark = json_pack("[O?, O?]", json_object_get(model, "size"),
		    json_object_get(model, "last_modified"));
		json_decref(model);
		return mark;
	}
	char *local = xasprintf("%s/%s", root, path);
	struct stat st;
	bool there = lstat(local, &st) == 0 && S_ISREG(st.st_mode);
	free(local);
	return there ? json_pack("[I, I, I]", (json_int_t)st.st_size,
	    (json_int_t)st.st_mtim.tv_sec, (json_int_t)st.st_mtim.tv_nsec) : NULL;
}
