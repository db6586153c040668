/* guard.c: tools/preload/driverguard.c, inside the program that needs it. */
#include "browser.h"
#include "embed.h"

#include <stdlib.h>
#include <string.h>

EMBED(driver_guard_so, GUARD_SO);
extern const char driver_guard_so[], driver_guard_so_end[];

char *
put_driver_guard(const char *dir)
{
	char *path = xasprintf("%s/driverguard.so", dir);
	size_t n = (size_t)(driver_guard_so_end - driver_guard_so);
	struct saving s;
	if (save_open(&s, path) != 0 || fwrite(driver_guard_so, 1, n, s.f) != n || save_commit(&s) != 0)
		die(ST_SYSTEM, "cannot write '%s':", path);
	const char *theirs = getenv("LD_PRELOAD");
	char *set = xasprintf("LD_PRELOAD=%s%s%s", path, theirs && *theirs ? ":" : "", theirs ? theirs : "");
	free(path);
	return set;
}
