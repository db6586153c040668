/* local_driver.c: a driver that is started here, with a folder for it and one for profiles. */
#include "local_driver.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/str.h"
#include "net/free_port.h"
#include "net/http.h"
#include "process/hold.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <unistd.h>

EMBED_STATIC(driver_guard_so, OBJ_DIR "driverguard.so");
extern const char driver_guard_so[], driver_guard_so_end[];

/* Chromium makes this socket in TMPDIR and waits forever if its name is too long. */
#define CHROMIUM_SOCKET "/org.chromium.Chromium.XXXXXX/SingletonSocket"
enum { MAX_DIR_BYTES = sizeof ((struct sockaddr_un *)0)->sun_path - sizeof CHROMIUM_SOCKET };
/* A fresh profile consists of many small files that are synchronised for one run: in memory
 * this shortens a browser's start by an eighth. */
#define MIN_PROFILE_BYTES 1073741824.0
enum { POLL_MS = 10, DRIVER_TRIES = 3, JOIN_MS = 2000, LOG_TAIL_BYTES = 300 };

/* A folder for the profile in /dev/shm; NULL if TMPDIR is set or there is too little space. */
static char *
memory_profile(void)
{
	static const char parent[] = "/dev/shm";
	struct statvfs fs;
	bool usable = !str_nonempty(getenv("TMPDIR")) && access(parent, W_OK) == 0 &&
	    !hold_is_open_to_all(parent) && statvfs(parent, &fs) == 0 &&
	    (double)fs.f_bavail * (double)fs.f_frsize >= MIN_PROFILE_BYTES;
	return usable ? xhold_tempdir_in(parent, "nbscope-profile") : NULL;
}

/* The port that a driver prints; 0 while it has not, -1 if it died. */
static int
driver_port(pid_t pid, const char *port_words, const char *log)
{
	bool alive = hold_alive(pid);
	char *text = hold_log_tail(log, 1 << 16), *at = strstr(text, port_words);
	int port = alive ? 0 : -1;
	if (at)
		port = (int)strtol(at + strlen(port_words), NULL, 10);
	free(text);
	return port;
}

/* Chromium creates the user's certificate store if there is none; an existing one is used. */
static bool
has_certificates(void)
{
	const char *data = str_nonempty(getenv("XDG_DATA_HOME")), *home = getenv("HOME");
	if (!home)
		home = "";
	char *in_home = xasprintf("%s/.pki/nssdb", home);
	char *in_data = data ? xasprintf("%s/pki/nssdb", data) :
	    xasprintf("%s/.local/share/pki/nssdb", home);
	bool has = access(in_data, F_OK) == 0 || access(in_home, F_OK) == 0;
	free(in_data);
	free(in_home);
	return has;
}

/* LD_PRELOAD for the driver: preload/driverguard.c keeps other users out of its port. */
static char *
xpreload_variable(const char *dir)
{
	size_t n = (size_t)(driver_guard_so_end - driver_guard_so);
	char *path = xhold_put_file(dir, "driverguard.so", driver_guard_so, n);
	const char *set = getenv("LD_PRELOAD");
	bool more = set && *set;
	char *variable = xasprintf("LD_PRELOAD=%s%s%s", path, more ? ":" : "", more ? set : "");
	free(path);
	return variable;
}

/* The browser does not need the server's secrets. */
static char **
driver_environment(const char *dir, const char *variable)
{
	static char *env[] = {"JUPYTERLAB_TOKEN", "JUPYTERLAB_PASSWORD", "JUPYTERLAB_URL",
	    "JUPYTERLAB_USERNAME", NULL, NULL, NULL, NULL, NULL, NULL, NULL};
	char **next = env;
	while (*next)
		next++;
	*next++ = xasprintf("TMPDIR=%s", dir);
	*next++ = xasprintf("XDG_CONFIG_HOME=%s/config", dir);
	*next++ = xasprintf("XDG_CACHE_HOME=%s/cache", dir);
	*next++ = xpreload_variable(dir);
	if (variable)
		*next++ = xstrdup(variable);
	if (!has_certificates())
		*next = xasprintf("XDG_DATA_HOME=%s/data", dir);
	return env;
}

/* chromedriver takes a port that is free at one of its two addresses, and ends if it is not free at
 * the other. */
static bool
port_was_taken(const char *log)
{
	char *text = hold_log_tail(log, LOG_TAIL_BYTES);
	bool taken = strstr(text, "Address already in use") != NULL;
	free(text);
	return taken;
}

void
xlocal_driver_check(const char *join, bool headless)
{
	struct http *http = http_open();
	struct http_request request = {.method = "GET", .timeout_ms = JOIN_MS};
	struct http_reply reply;
	if (!join && !headless && !str_nonempty(getenv("DISPLAY")) &&
	    !str_nonempty(getenv("WAYLAND_DISPLAY")))
		die(ST_SYSTEM, "a visible window requires a display, but DISPLAY is not set: run "
		    "without --show and HEADLESS=0, or under xvfb-run");
	if (join) {
		request.url = xasprintf("http://%s/json/version", join);
		http_call(http, &request, &reply);
		if (reply.status != 200)
			die(ST_SYSTEM, "no browser answers at %s%s%s: start Chromium with "
			    "--remote-debugging-port=%s", join, *reply.error ? ": " : "",
			    reply.error, strrchr(join, ':') + 1);
		http_reply_free(&reply);
	}
	http_close(http);
}

void
xlocal_driver_start(struct local_driver *d, const struct browser *b, long timeout_s)
{
	d->dir = xstrdup(xhold_plain_tempdir("nbscope-browser", MAX_DIR_BYTES));
	char *in_memory = memory_profile();
	d->profile_dir = in_memory ? xstrdup(in_memory) : d->dir;
	char *log = xasprintf("%s/driver.log", d->dir);
	bool firefox = strcmp(b->name, "firefox") == 0;
	char *root = firefox ? xasprintf("--profile-root=%s", d->profile_dir) : NULL;
	char **env = driver_environment(d->dir, b->variable);
	uint64_t end_ns = clock_monotonic_ns() + (uint64_t)timeout_s * 1000000000u;
	int port, tries = 0;
	do {
		/* A geckodriver before 0.34 accepts no request at a port that it chose itself. */
		char *port_word = xasprintf("--port=%d", firefox ? xfree_port() : 0);
		char *argv[] = {xstrdup(b->driver), port_word, root, NULL};
		d->pid = hold_spawn(argv, env, log);
		if (d->pid < 0)
			die(ST_SYSTEM, "cannot start '%s' (on Debian: apt-get install %s):",
			    b->driver, b->packages);
		while ((port = driver_port(d->pid, b->port_words, log)) == 0 &&
		    clock_monotonic_ns() < end_ns)
			clock_pause_ms(POLL_MS);
	} while (port < 0 && ++tries < DRIVER_TRIES && port_was_taken(log));
	if (port <= 0)
		die(ST_SYSTEM, "'%s' %s: %s", b->driver, port ? "ended at once" :
		    "did not start in time", hold_log_tail(log, LOG_TAIL_BYTES));
	d->url = xasprintf("http://127.0.0.1:%d", port);
	free(log);
}

enum { LISTEN_STATE = 0x0A, MAX_TABLE_BYTES = 64 << 20 };

/* The inode of the socket that listens on the port; 0: none in this table. */
static unsigned long
find_inode(const char *table, long port)
{
	size_t n;
	unsigned long found = 0, inode;
	unsigned int at, state;
	char *text = file_read(table, MAX_TABLE_BYTES, &n), *rest = text, *line;
	while (!found && rest && (line = strsep(&rest, "\n")))
		if (sscanf(line, " %*d: %*[0-9A-F]:%x %*[0-9A-F]:%*x %x %*s %*s %*s %*s %*s %lu",
		    &at, &state, &inode) == 3 && state == LISTEN_STATE && at == (unsigned)port)
			found = inode;
	free(text);
	return found;
}

static bool
has_socket(const char *pid, const char *socket)
{
	char path[300], target[64];
	snprintf(path, sizeof path, "/proc/%.20s/fd", pid);
	DIR *d = opendir(path);
	bool found = false;
	for (struct dirent *e; d && !found && (e = readdir(d)); ) {
		snprintf(path, sizeof path, "/proc/%.20s/fd/%.20s", pid, e->d_name);
		ssize_t n = readlink(path, target, sizeof target - 1);
		target[n > 0 ? n : 0] = '\0';
		found = strcmp(target, socket) == 0;
	}
	if (d)
		closedir(d);
	return found;
}

pid_t
local_driver_port_owner(long port)
{
	unsigned long inode = find_inode("/proc/net/tcp", port);
	if (!inode && !(inode = find_inode("/proc/net/tcp6", port)))
		return 0;
	char *socket = xasprintf("socket:[%lu]", inode);
	DIR *d = opendir("/proc");
	long found = 0;
	for (struct dirent *e; d && !found && (e = readdir(d)); )
		if (!e->d_name[strspn(e->d_name, "0123456789")] && has_socket(e->d_name, socket))
			found = strtol(e->d_name, NULL, 10);
	if (d)
		closedir(d);
	free(socket);
	return (pid_t)found;
}
