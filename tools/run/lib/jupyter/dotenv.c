/* dotenv.c: a file .env with the address and secrets of a Jupyter server. */
#include "jupyter/dotenv.h"
#include "base/die.h"
#include "base/file.h"
#include "base/kernel_call.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static char *
trim(char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	size_t n = strlen(s);
	while (n && strchr(" \t\r", s[n - 1]))
		s[--n] = '\0';
	return s;
}

/* Whether it set a secret. */
static bool
set_variable(char *line)
{
	line = trim(line);
	if (strncmp(line, "export ", 7) == 0)
		line = trim(line + 7);
	char *eq = strchr(line, '=');
	if (!eq || strncmp(line, "JUPYTERLAB_", 11) != 0)
		return false;
	*eq = '\0';
	char *key = trim(line), *value = trim(eq + 1);
	if (key[strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")])
		return false;	/* such as "JUPYTERLAB_URL x=1" */
	if (*value == '"' || *value == '\'') {
		char *end = strchr(value + 1, *value);
		if (end)
			*end = '\0';
		value++;
	} else {
		char *hash = strstr(value, " #");
		if (hash)
			*hash = '\0';
		value = trim(value);
	}
	if (getenv(key))
		return false;
	xsetenv(key, value);
	return strstr(key, "TOKEN") || strstr(key, "PASSWORD");
}

/* Whether the file is ours or root's and nobody else can write it: otherwise someone
 * else may have chosen the server that gets our token. */
static bool
is_trusted(const char *path, mode_t *mode)
{
	struct stat st;
	bool known = stat(path, &st) == 0;
	*mode = known ? st.st_mode : 0;
	return !known || ((st.st_uid == geteuid() || st.st_uid == 0) && !(st.st_mode & S_IWOTH));
}

void
xdotenv_load(const char *path)
{
	size_t n;
	char *text = file_read(path, 1 << 20, &n), *rest = text, *line;
	if (!text) {
		if (errno != ENOENT && errno != ENOTDIR)
			die(ST_SYSTEM, "cannot read '%s':", path);
		return;
	}
	mode_t mode;
	bool secret = false;
	if (!is_trusted(path, &mode))
		die(ST_SYSTEM, "cannot use '%s': another user can write it", path);
	while ((line = strsep(&rest, "\n")))
		secret = set_variable(line) || secret;
	kernel_call_wipe(text, n);
	free(text);
	if (secret && (mode & (S_IRGRP | S_IROTH)))
		warn("other users can read the token or the password in '%s': chmod 600 %s",
		    path, path);
}
