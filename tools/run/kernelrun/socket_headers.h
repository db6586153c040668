/* socket_headers.h: what identifies us to the server, for a connection that is not libcurl's. */
#ifndef SOCKET_HEADERS_H
#define SOCKET_HEADERS_H

#include "net/http.h"

/* The headers that http_call() sends to this URL, with its cookies: {name: value}. */
json_t *socket_headers(struct http *, const char *url);

#endif
