/* remote_driver.h: a WebDriver or a Selenium Grid that is already running. */
#pragma once

#include "browser/wd.h"

/* Its base address, from WEBDRIVER_URL, the caller's; NULL: that is not set. */
char *remote_driver_url(void);
/* Dies if a browser there could not do what the environment requests. */
void xremote_driver_check(const char *url);
/* How long the queue of a Grid is whose browsers are all in use, the caller's; NULL: some are
 * free, or there is no Grid. */
char *remote_driver_queue(const char *url);
/* The host and port of the Grid's node that has the session, else of the driver itself; the
 * caller's. `w` is open at the base address. */
char *remote_driver_node(struct wd *w, const char *session_id);
