/* plan_identity.c: whether everything that a plan is made from is as it was. */
#include "plan_identity.h"
#include "base/atomic_file.h"
#include "base/die.h"
#include "base/file.h"
#include "base/str.h"

#include <dirent.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_DEPTH = 32, LIMIT_BYTES = 256 };

static SHA2_CTX sha;
static bool settled;
static const char *own;	/* the name of the plan among the runs */

static void
add_text(const char *text)
{
	SHA256Update(&sha, (const uint8_t *)text, strlen(text) + 1);
}

/* What is hidden is make's own: each of these files is added by itself. */
static bool
is_left_out(const char *name, int depth)
{
	return name[0] == '.' || strcmp(name, "__pycache__") == 0 ||
	    (own && depth == 0 && strcmp(name, own) == 0);
}

static void add_entry(int folder, const char *name, int depth);

static void
add_folder(int fd, int depth)
{
	DIR *d = fdopendir(fd);
	char **names = NULL;
	size_t n = 0;
	for (struct dirent *e; d && (e = readdir(d)); ) {
		if (is_left_out(e->d_name, depth))
			continue;
		*XAPPEND(names, n) = xstrdup(e->d_name);
	}
	if (n)
		qsort(names, n, sizeof *names, str_compare);
	for (size_t i = 0; i < n; i++) {
		add_entry(fd, names[i], depth + 1);
		free(names[i]);
	}
	free(names);
	if (d)
		closedir(d);
}

static void
add_entry(int folder, const char *name, int depth)
{
	struct stat st;
	add_text(name);
	if (fstatat(folder, name, &st, 0) != 0) {
		add_text("none");
		return;
	}
	if (!S_ISDIR(st.st_mode)) {
		char *identity = digest_identity(&st);
		add_text(identity);
		free(identity);
		settled &= digest_is_settled(&st);
		return;
	}
	/* The date of a folder is that of its names, which are added. */
	int fd = depth < MAX_DEPTH ?
	    openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (fd >= 0)
		add_folder(fd, depth);
}

void
plan_identity_begin(int argc, char **argv, double memory_bytes)
{
	SHA256Init(&sha);
	settled = true;
	for (int i = 0; i < argc; i++)
		add_text(argv[i]);
	SHA256Update(&sha, (const uint8_t *)&memory_bytes, sizeof memory_bytes);
	plan_identity_add("/proc/self/exe");
}

void
plan_identity_add(const char *path)
{
	add_entry(AT_FDCWD, path, 0);
}

void
plan_identity_add_runs(const char *folder, const char *plan)
{
	struct stat st;
	const char *slash = strrchr(plan, '/');
	char *identity = stat(plan, &st) == 0 ? digest_identity(&st) : NULL;
	own = slash ? slash + 1 : plan;
	add_entry(AT_FDCWD, folder, 0);
	own = NULL;
	add_text(identity ? identity : "none");
	free(identity);
}

void
plan_identity_end(struct plan_identity *p)
{
	digest_put_hex(&sha, p->hex);
	p->settled = settled;
}

int
plan_identity_recall(const struct plan_identity *p, const char *path)
{
	size_t n;
	char *text = p->settled ? file_read(path, LIMIT_BYTES, &n) : NULL;
	bool same = text && n > DIGEST_HEX && memcmp(text, p->hex, DIGEST_HEX - 1) == 0;
	int status = same ? (int)strtol(text + DIGEST_HEX, NULL, 10) : -1;
	free(text);
	return status;
}

void
plan_identity_store(const struct plan_identity *p, const char *path, int status)
{
	struct buf b = {0};
	buf_addf(&b, "%s %d\n", p->hex, status);
	xatomic_file_write_buf(path, &b);
	buf_free(&b);
}
