/* url.h: percent-encoding, hosts. */
#pragma once

#include "base/buf.h"

/* Appends the text, percent-encoding everything but unreserved characters and those in
 * `also`. */
void url_add_escaped(struct buf *, const char *text, const char *also);
/* The prefix and the encoded path; the caller's. */
char *url_path(const char *prefix, const char *path);
void url_unescape(char *);	/* in place */
/* Whether the host of a URL, or of HOST:PORT, is this machine's loopback. */
bool url_is_loopback(const char *);
