/* lab.h: a Jupyter server, nbscope's own or the user's: opening it, REST. */
#pragma once

#include "net/http.h"

#include <stdio.h>

#define LAB_MIN_VERSION "4.2"	/* older ones react to key presses too early */
bool lab_is_too_old(const char *version);	/* "4.1.8": true */

struct lab {
	char *url;	/* base, ends in '/' */
	char *version;	/* of jupyter_server */
	char *lab_version;	/* of jupyterlab; NULL: unknown */
	long limit_ms;	/* for one call; 0: two minutes */
	bool held;	/* by the labserve above us: everything on it ends with it */
	struct http *http;
	char error[512];	/* one line, set when a call fails */
};
#define lab_set_error(l, ...) snprintf((l)->error, sizeof (l)->error, __VA_ARGS__)
/* --insecure: accept any TLS certificate, with a warning from each lab_open(). It is not taken from
 * the environment, so that no child inherits it. */
extern bool lab_insecure;
/* A PEM file with a certificate of the server that the system does not know (JUPYTERLAB_CERT), or
 * NULL. */
const char *lab_certificate(void);

/* Opens the server at JUPYTERLAB_URL with JUPYTERLAB_TOKEN, or with JUPYTERLAB_USERNAME and
 * JUPYTERLAB_PASSWORD, and checks that it grants access.
 * NULL and a line in error[512] otherwise. */
struct lab *lab_open(char error[512]);
void lab_close(struct lab *);

/* One REST call below url, e.g. lab_call(l, "GET", "api/sessions", NULL, NULL); takes the body.
 * Returns the JSON answer (json_null() if empty); NULL: see l->error. *status (or NULL)
 * becomes the HTTP status, 0 without an answer. */
json_t *lab_call(struct lab *, const char *method, const char *path, json_t *body, long *status);
/* Whether the server has this kernelspec (true if it does not list any); else l->error names
 * those that it has. */
bool lab_has_kernel(struct lab *, const char *name);
