/* session_variables.c: the environment that describes a browser's session. */
#include "browser/session_variables.h"
#include "base/die.h"
#include "base/str.h"
#include "net/http.h"
#include "net/url.h"

#include <errno.h>
#include <sys/socket.h>

enum { MAX_LINE_BYTES = 64 << 10 };

size_t
session_variables_set(json_t *all)
{
	size_t set = 0;
	const char *name;
	json_t *value;
	json_object_foreach(all, name, value)
		if (json_is_string(value)) {
			xsetenv(name, json_string_value(value));
			set++;
		}
	return set;
}

int
session_variables_receive(int socket)
{
	char *line = xmalloc(MAX_LINE_BYTES);
	size_t n = 0;
	while (n < MAX_LINE_BYTES && (n == 0 || line[n - 1] != '\n') && !http_stop) {
		ssize_t k = recv(socket, line + n, MAX_LINE_BYTES - n, 0);
		if (k == 0 || (k < 0 && errno != EINTR))
			break;
		n += k > 0 ? (size_t)k : 0;
	}
	json_t *all = n && line[n - 1] == '\n' ? json_loadb(line, n, 0, NULL) : NULL;
	size_t set = session_variables_set(all);
	json_decref(all);
	free(line);
	return set ? 0 : -1;
}

void
session_variables_add_devtools(json_t *variables, const json_t *capabilities, bool here)
{
	const char *grid = json_string_value(json_object_get(capabilities, "se:cdp"));
	const json_t *chromium = json_object_get(capabilities, "goog:chromeOptions");
	const char *port = json_string_value(json_object_get(chromium, "debuggerAddress"));
	if (grid || (here && port))
		json_object_set_new(variables, "WD_DEVTOOLS", json_string(grid ? grid : port));
}

bool
session_variables_is_remote(void)
{
	return str_nonempty(getenv("WD_BROWSER_NODE"));
}

bool
session_variables_is_elsewhere(void)
{
	return session_variables_is_remote() && !url_is_loopback(getenv("WD_BROWSER_NODE"));
}
