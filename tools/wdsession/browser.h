/* browser.h: what differs between browsers; all that is special to Chromium or
 * to Firefox stands in browser.c. */
#ifndef BROWSER_H
#define BROWSER_H

#include "nbscope.h"

struct browser {
	const char *name;	/* "chromium" or "firefox" */
	const char *driver;	/* the driver's command */
	const char *found;	/* what its log says before the port it took */
	const char *program;	/* the browser's own path; NULL: the driver's choice */
};
struct browser_options {
	bool headless;
	bool insecure;		/* any TLS certificate will do */
	long width_px, height_px;	/* of the window */
	const char *profile;	/* an empty folder; NULL: remote, the driver's own */
	const char *proxy;	/* "http://host:port"; NULL: none */
	const char *join;	/* "host:port" where a running browser is debugged; NULL: start one */
	json_t *args;		/* more arguments for the browser, an array */
};
/* By a name or a program's path ("firefox-esr", "/opt/chrome/chrome"); false
 * when it is neither a Chromium nor a Firefox. */
bool browser_find(const char *what, struct browser *);
/* guard.c: writes what keeps other users out of a driver's port into the folder.
 * "LD_PRELOAD=..." for the driver's environment. */
char *put_driver_guard(const char *dir);
/* The body of POST /session. */
json_t *browser_capabilities(const struct browser *, const struct browser_options *);
/* The browser's process id from a new session's capabilities; 0: not told. */
pid_t browser_pid(const json_t *capabilities);
/* portpid.c: the process of this machine that listens on the port; 0: none, or
 * another user's. */
pid_t port_pid(long port);
/* Makes every document of the session run `script` before its own scripts,
 * where the driver can (0); -1: inject it after navigation instead. */
int browser_arm(struct wd *, const char *script);
/* One cookie of lab_cookies() for pages of `url`; 0, or -1: see w->message.
 * Works before any page of that address was opened where the driver can. */
int browser_cookie(struct wd *, const char *url, json_t *cookie);

#endif
