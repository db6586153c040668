/* server_address.h: where nbscope's own JupyterLab listens: on loopback, or for the browsers of
 * other machines, with TLS. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

struct server_address {
	const char *host;	/* a name or an address; NULL: loopback, without TLS */
	char *certificate, *key;	/* files, of that host */
};

/* Whether a browser can have this host in an address, and it is not that of all interfaces. */
bool server_address_is_usable(const char *host);
/* Makes the certificate, in `dir`, a held folder, and names it in JUPYTERLAB_CERT. */
void xserver_address_secure(struct server_address *, const char *dir);
/* The address of the server, the caller's. */
char *server_address_url(const struct server_address *, int port);
/* Adds what serve.py needs to know of it. */
void server_address_describe(const struct server_address *, json_t *settings);
/* Warns that other machines reach it. */
void server_address_warn(const char *url);
