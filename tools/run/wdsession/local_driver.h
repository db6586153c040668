/* local_driver.h: a driver that is started here, with a folder for it and one for profiles. */
#pragma once

#include "browser.h"

#include <sys/types.h>

struct local_driver {
	char *url;		/* its address, e.g. "http://127.0.0.1:35017" */
	pid_t pid;
	char *dir;		/* held, for what it and the browser leave */
	char *profile_dir;	/* held, for browsers' profiles; the same folder if need be */
};
/* The driver itself would wait a minute for a browser to join ("host:port", or NULL) or for a
 * display. Dies if there is none. */
void xlocal_driver_check(const char *join, bool headless);
/* Dies if it has not started within timeout_s. */
void xlocal_driver_start(struct local_driver *, const struct browser *, long timeout_s);

pid_t local_driver_port_owner(long port);	/* 0: none, or another user's */
