/* driver_preload.c: keeps other users out of a driver's port: preload/driverguard.c, inside
 * the program. */
#include "driver_preload.h"
#include "base/die.h"
#include "base/embed.h"
#include "process/hold.h"

#include <stdlib.h>

EMBED_STATIC(driver_guard_so, GUARD_SO);
extern const char driver_guard_so[], driver_guard_so_end[];

char *
xdriver_preload_variable(const char *dir)
{
	size_t n = (size_t)(driver_guard_so_end - driver_guard_so);
	char *path = xhold_put_file(dir, "driverguard.so", driver_guard_so, n);
	const char *set = getenv("LD_PRELOAD");
	bool more = set && *set;
	char *variable = xasprintf("LD_PRELOAD=%s%s%s", path, more ? ":" : "", more ? set : "");
	free(path);
	return variable;
}
