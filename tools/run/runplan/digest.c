/* digest.c: SHA-256 of files, remembered so that an unchanged file is not read again. */
#include "digest.h"
#include "base/atomic_file.h"
#include "base/die.h"
#include "base/file.h"
#include "base/folder_walk.h"
#include "base/str.h"
#include "json/json_parse.h"
#include "json/json_text.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NOTEBOOK_LIMIT_BYTES = 512 << 20, CACHE_LIMIT_BYTES = 64 << 20, CHUNK_BYTES = 1 << 16 };
/* A file may change again within the resolution of its dates. */
enum { SETTLED_S = 2 };

static json_t *known;	/* {"n path": "inode size mtime ctime hex kernel"}; "f path", "r path" */
static const char *cache_path;
static bool learnt;

/* ---- the cache ---------------------------------------------------------------------- */

void
xdigest_remember(const char *cache)
{
	size_t n;
	char *text = cache ? file_read(cache, CACHE_LIMIT_BYTES, &n) : NULL;
	json_error_t e;
	known = text ? json_parse_strict(text, n, &e) : NULL;
	/* A cache that cannot be read is begun again. */
	if (!json_is_object(known)) {
		json_decref(known);
		known = json_object();
	}
	cache_path = cache;
	free(text);
}

void
xdigest_save(void)
{
	const char *key;
	json_t *v;
	void *next;
	if (!cache_path || !learnt)
		return;
	json_object_foreach_safe(known, next, key, v)
		if (access(key + 2, F_OK) != 0)
			json_object_del(known, key);
	char *text = json_text_of(known);
	struct atomic_file f;
	bool written = atomic_file_open(&f, cache_path) == 0;
	if (written) {
		fputs(text, f.f);
		written = atomic_file_commit(&f) == 0;
	}
	if (!written)
		log_at(LOG_LEVEL_WARNING, "cannot write the cache '%s':", cache_path);
	free(text);
}

char *
digest_identity(const struct stat *st)
{
	return xasprintf("%ju %jd %jd.%09ld %jd.%09ld ",
	    (uintmax_t)st->st_ino, (intmax_t)st->st_size,
	    (intmax_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec,
	    (intmax_t)st->st_ctim.tv_sec, st->st_ctim.tv_nsec);
}

bool
digest_is_settled(const struct stat *st)
{
	return st->st_ctim.tv_sec + SETTLED_S <= time(NULL);
}

/* What is remembered of the file as it is now; NULL: nothing. */
static const char *
cached_digest(const char *key, const char *identity)
{
	const char *text = json_string_value(json_object_get(known, key));
	size_t n = strlen(identity);
	return text && strncmp(text, identity, n) == 0 ? text + n : NULL;
}

static const char *
recall_digest(const char *key, const char *identity)
{
	const char *text = cached_digest(key, identity);
	return text && strlen(text) >= DIGEST_HEX - 1 ? text : NULL;
}

static void
cache_digest(const char *key, const struct stat *st, const char *digest)
{
	if (!digest_is_settled(st))
		return;
	char *identity = digest_identity(st), *text = xasprintf("%s%s", identity, digest);
	learnt |= json_object_set_new(known, key, json_string(text)) == 0;
	free(identity);
	free(text);
}

bool
digest_run_is_whole(const char *path, const struct stat *st)
{
	char *identity = digest_identity(st), *key = xasprintf("r %s", path);
	bool whole = cached_digest(key, identity);
	free(identity);
	free(key);
	return whole;
}

void
digest_remember_whole(const char *path, const struct stat *st)
{
	char *key = xasprintf("r %s", path);
	cache_digest(key, st, "");
	free(key);
}

/* ---- one file ------------------------------------------------------------------------- */

void
digest_put_hex(SHA2_CTX *sha, char hex[DIGEST_HEX])
{
	uint8_t digest[SHA256_DIGEST_LENGTH];
	SHA256Final(digest, sha);
	for (size_t i = 0; i < sizeof digest; i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

static void
digest_contents(const char *path, char hex[DIGEST_HEX])
{
	static uint8_t chunk[CHUNK_BYTES];
	SHA2_CTX sha;
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	SHA256Init(&sha);
	while ((n = fd < 0 ? -1 : read(fd, chunk, sizeof chunk)) != 0) {
		if (n > 0)
			SHA256Update(&sha, chunk, (size_t)n);
		else if (errno != EINTR)
			die(ST_SYSTEM, "cannot read '%s':", path);
	}
	close(fd);
	digest_put_hex(&sha, hex);
}

/* The kernel is a setting of the run (--kernel). */
static char *
digest_json(const char *path, char hex[DIGEST_HEX])
{
	size_t n;
	char *error = NULL, *text = file_read(path, NOTEBOOK_LIMIT_BYTES, &n);
	if (!text)
		die(ST_SYSTEM, "cannot read '%s':", path);
	json_t *notebook = json_parse_text(text, n, path, &error);
	if (!notebook)
		die(ST_INPUT, "%s", error);
	json_t *metadata = json_object_get(notebook, "metadata");
	const json_t *spec = json_object_get(metadata, "kernelspec");
	const char *name = json_string_value(json_object_get(spec, "name"));
	char *kernel = xstrdup(name ? name : "");
	json_object_del(metadata, "kernelspec");
	struct buf b = {0};
	SHA2_CTX sha;
	json_text_add(&b, notebook);
	SHA256Init(&sha);
	SHA256Update(&sha, (const uint8_t *)b.p, b.n);
	digest_put_hex(&sha, hex);
	buf_free(&b);
	json_decref(notebook);
	free(text);
	return kernel;
}

char *
xdigest_notebook(const char *path, char hex[DIGEST_HEX])
{
	struct stat st;
	if (stat(path, &st) != 0)
		return NULL;
	char *identity = digest_identity(&st), *key = xasprintf("n %s", path), *kernel;
	const char *found = recall_digest(key, identity);
	if (found) {
		snprintf(hex, DIGEST_HEX, "%s", found);
		kernel = xstrdup(found + DIGEST_HEX - 1 + (found[DIGEST_HEX - 1] == ' '));
	} else {
		kernel = digest_json(path, hex);
		char *text = xasprintf("%s %s", hex, kernel);
		cache_digest(key, &st, text);
		free(text);
	}
	free(identity);
	free(key);
	return kernel;
}

static void
digest_file(const char *path, const struct stat *st, char hex[DIGEST_HEX])
{
	char *identity = digest_identity(st), *key = xasprintf("f %s", path);
	const char *found = recall_digest(key, identity);
	if (found) {
		snprintf(hex, DIGEST_HEX, "%s", found);
	} else {
		digest_contents(path, hex);
		cache_digest(key, st, hex);
	}
	free(identity);
	free(key);
}

/* ---- files of a notebook ------------------------------------------------------------------ */

struct listing {
	char **v;	/* "name\nhex", or "name/" */
	size_t n;
};

static int
list_path(void *arg, const char *path, const char *below, const struct stat *st)
{
	struct listing *l = arg;
	char hex[DIGEST_HEX];
	if (!st)
		die(ST_SYSTEM, "cannot read '%s':", path);
	if (!S_ISDIR(st->st_mode))
		digest_file(path, st, hex);
	*XAPPEND(l->v, l->n) = S_ISDIR(st->st_mode) ? xasprintf("%s/", below) :
	    xasprintf("%s\n%s", below, hex);
	return 0;
}

/* `line` is an element of a listing. */
static void
note_digest(json_t *some, const char *line)
{
	const char *end = strchr(line, '\n');
	char *name = end ? xasprintf("%.*s", (int)(end - line), line) : NULL;
	if (name && json_object_get(some, name))
		json_object_set_new(some, name, json_string(end + 1));
	free(name);
}

void
xdigest_files(const char *const *paths, size_t n, json_t *some, char hex[DIGEST_HEX])
{
	struct listing l = {0};
	for (size_t i = 0; i < n; i++)
		folder_walk(paths[i], list_path, &l);
	SHA2_CTX sha;
	SHA256Init(&sha);
	if (l.n)
		qsort(l.v, l.n, sizeof *l.v, str_compare);
	for (size_t i = 0; i < l.n; i++) {
		SHA256Update(&sha, (const uint8_t *)l.v[i], strlen(l.v[i]) + 1);
		note_digest(some, l.v[i]);
		free(l.v[i]);
	}
	digest_put_hex(&sha, hex);
	free(l.v);
}
