/* folder_walk.c: everything below a folder. */
#include "base/folder_walk.h"
#include "base/die.h"

#include <errno.h>
#include <fts.h>

static int
by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

int
folder_walk(const char *path, int (*visit)(void *arg, const char *path, const char *below,
    const struct stat *), void *arg)
{
	char *root = xstrdup(path), *roots[] = {root, NULL};
	size_t n = strlen(root);
	while (n > 1 && root[n - 1] == '/')
		root[--n] = '\0';
	FTS *f = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
	if (!f)
		die(ST_SYSTEM, "out of memory");
	int result = 0;
	for (FTSENT *e; !result && (e = fts_read(f)); ) {
		bool known = e->fts_info == FTS_D || e->fts_info == FTS_F ||
		    e->fts_info == FTS_DEFAULT;
		if (e->fts_info == FTS_DP || (e->fts_info == FTS_D && !e->fts_level))
			continue;
		if (strcmp(e->fts_name, "__pycache__") == 0) {
			fts_set(f, e, FTS_SKIP);
			continue;
		}
		errno = e->fts_info == FTS_DC ? ELOOP : e->fts_errno ? e->fts_errno : ENOENT;
		result = visit(arg, e->fts_path, e->fts_level ? e->fts_path + n + 1 : e->fts_name,
		    known ? e->fts_statp : NULL);
	}
	int saved = errno;
	fts_close(f);
	free(root);
	errno = saved;
	return result;
}
