/* browser.h: the differences between browsers. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

struct browser {
	const char *name;	/* "chromium" or "firefox" */
	const char *driver;	/* the driver's command */
	const char *packages;	/* Debian's, for a message */
	const char *port_words;	/* before the port number in the driver's log */
	const char *variable;	/* that the browser needs, "NAME=value"; NULL: none */
	const char *program;	/* the browser's path; NULL: the driver's choice */
};
struct browser_options {
	bool headless;
	bool insecure;		/* accept any TLS certificate */
	long width_px, height_px;	/* of the window */
	const char *profile;	/* an empty folder; NULL: remote, the driver's own */
	const char *proxy;	/* "http://host:port"; NULL: none */
	const char *pins;	/* keys of certificates to accept, for Chromium; NULL: none */
	const char *join;	/* "host:port" of a browser's debugging port; NULL: start one */
	json_t *args;		/* more arguments for the browser, an array */
};
/* Finds a browser by its name or by the path of a program ("firefox-esr", "/opt/chrome/chrome");
 * false if it is neither a Chromium nor a Firefox. */
bool browser_find(const char *name, struct browser *);
/* The body of POST /session. */
json_t *browser_capabilities(const struct browser *, const struct browser_options *);
/* The browser's process id, from a new session's capabilities; 0: unknown. */
pid_t browser_pid(const json_t *capabilities);
