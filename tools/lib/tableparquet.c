/* tableparquet.c: Parquet files, by a reader that runs in a Python of its own. */
#include "tablein.h"

void
xread_parquet(struct table *t, const char *path, const struct rowwords *words)
{
	(void)t, (void)words;
	die(ST_SYSTEM, "cannot read '%s': Parquet is not built in", path);
}

void
parquet_end(void)
{
}
