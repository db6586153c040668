/* dotenv: what a .env file may put into the environment. */
#include "fuzz.h"
#include "jupyter/dotenv.h"

#include <stdlib.h>
#include <string.h>

/* The linker puts it where the library calls setenv. */
int __wrap_setenv(const char *key, const char *value, int overwrite);
int
__wrap_setenv(const char *key, const char *value, int overwrite)
{
	WANT(strncmp(key, "JUPYTERLAB_", 11) == 0 && !strchr(key, '=') && (!overwrite || !getenv(key)));
	WANT(!strpbrk(key, "\n\r\t ") && !strchr(value, '\n'));
	return 0;
}

static void
load(void *path)
{
	xdotenv_load(path);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *path = strdup(fuzz_file(data, n));
	size_t left;
	WANT(fuzz_caught(load, path, &left) == FUZZ_RETURNED && left == 0);
	free(path);
	fuzz_unfile();
	return 0;
}
