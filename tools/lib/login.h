/* login.h: the ways into a Jupyter server that is not ours, for lab.c. */
#ifndef LOGIN_H
#define LOGIN_H

#include "nbscope.h"

struct login {
	const char *token, *user, *password;	/* NULL: not given */
};
/* The server's or JupyterHub's own form at `page`, where the server sent us. */
bool login_form(struct lab *, const char *page, const struct login *);
/* Through the hub at `hub` (ends in "/hub/"): logs in if need be, starts the
 * user's server if it does not run, makes l->url its address. */
bool login_hub(struct lab *, const char *hub, const struct login *);

/* GET and POST as a browser would; a form's body, or NULL for an API call. */
void login_get(struct lab *, const char *url, struct reply *);
void login_post(struct lab *, const char *url, const char *form, struct reply *);
/* Sends the _xsrf cookie of the page at `url` along from here on. */
void login_xsrf(struct lab *, const char *url);
/* Percent-encoded, but for letters, digits and those in `keep`. */
void add_escaped(struct buf *, const char *text, const char *keep);
/* Whether a redirect to `url` may be followed with a token or a password: the
 * server's own host, or one above or below it, as a hub's.  False and l->error. */
bool login_stays(struct lab *, const char *url);
/* Into l->error: "cannot reach 'url': why". */
void unreachable(struct lab *, const struct reply *);

#endif
