/* login.h: logging in to the user's own Jupyter server or JupyterHub, for lab.c. */
#pragma once

#include "jupyter/lab.h"
#include "jupyter/lab_env.h"

/* Fills in the form of the server or of JupyterHub at `page`. */
bool login_form(struct lab *, const char *page, const struct lab_env *);
/* Through the hub at `hub` (ends in "/hub/"): logs in if necessary, starts the user's server
 * if it is not running, and sets l->url to its address. */
bool login_hub(struct lab *, const char *hub, const struct lab_env *);

/* POST as a browser would; `form` is a form's body, NULL for an API call. */
void login_post(struct lab *, const char *url, const char *form, struct http_reply *);
/* Sends the _xsrf cookie of the page at `url` with every further request. */
void login_send_xsrf(struct lab *, const char *url);
/* Whether a redirect to `url` may be followed with a token or a password: only to the
 * server's own host, or one above or below it in the domain, like a hub's. False: l->error. */
bool login_stays(struct lab *, const char *url);
/* Sets l->error to "cannot reach 'url': reason". */
void login_set_unreachable(struct lab *, const struct http_reply *);
