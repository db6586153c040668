/* plan_identity.c: whether everything that a plan is made from is as it was. */
#include "plan_identity.h"
#include "base/atomic_file.h"
#include "base/file.h"
#include "base/folder_walk.h"

#include <sha2.h>
#include <time.h>

enum { LIMIT_BYTES = 256 };

static SHA2_CTX sha;
static bool settled;
static const char *own;	/* the plan */

static void
add_text(const char *text)
{
	SHA256Update(&sha, (const uint8_t *)text, strlen(text) + 1);
}

void
plan_identity_begin(int argc, char **argv, double memory_bytes, const char *plan)
{
	SHA256Init(&sha);
	settled = true;
	own = plan;
	for (int i = 0; i < argc; i++)
		add_text(argv[i]);
	SHA256Update(&sha, (const uint8_t *)&memory_bytes, sizeof memory_bytes);
	plan_identity_add("/proc/self/exe");
}

/* What make hides in a folder is added by itself.  The date of a folder is that of its names. */
static int
add_entry(void *hides, const char *path, const char *below, const struct stat *st)
{
	if (hides && *below == '.')
		return 0;
	add_text(below);
	if (!st || S_ISDIR(st->st_mode)) {
		add_text(st ? "folder" : "none");
		return 0;
	}
	char *identity = digest_identity(st);
	add_text(identity);
	free(identity);
	settled &= strcmp(path, own) == 0 || digest_is_settled(st);
	return 0;
}

void
plan_identity_add(const char *path)
{
	folder_walk(path, add_entry, NULL);
}

void
plan_identity_add_made(const char *folder)
{
	static bool hides = true;
	folder_walk(folder, add_entry, &hides);
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
