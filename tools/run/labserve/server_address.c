/* server_address.c: where nbscope's own JupyterLab listens. */
#include "server_address.h"
#include "base/die.h"
#include "net/certificate.h"
#include "net/url.h"
#include "process/hold.h"

bool
server_address_is_usable(const char *host)
{
	static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ.-:";
	bool all = strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
	return *host && !all && !host[strspn(host, letters)];
}

void
xserver_address_secure(struct server_address *a, const char *dir)
{
	char *certificate, *key;
	unsetenv("JUPYTERLAB_CERT");
	if (!a->host)
		return;
	xcertificate_make(a->host, &certificate, &key);
	a->certificate = xhold_put_file(dir, "certificate.pem", certificate, strlen(certificate));
	a->key = xhold_put_file(dir, "key.pem", key, strlen(key));
	xsetenv("JUPYTERLAB_CERT", a->certificate);
	free(certificate);
	free(key);
}

char *
server_address_url(const struct server_address *a, int port)
{
	if (!a->host)
		return xasprintf("http://127.0.0.1:%d/", port);
	return xasprintf(strchr(a->host, ':') ? "https://[%s]:%d/" : "https://%s:%d/", a->host,
	    port);
}

void
server_address_describe(const struct server_address *a, json_t *settings)
{
	json_t *server = !a->host ? json_null() : json_pack("{s:s, s:b, s:s, s:s}", "ip", a->host,
	    "allow_remote_access", 1, "certfile", a->certificate, "keyfile", a->key);
	json_object_set_new(settings, "elsewhere", server);
}

void
server_address_warn(const char *url)
{
	if (!url_is_loopback(url))
		warn("JupyterLab is open to other machines at '%s' (--host): anyone with its token "
		    "can run programs as you", url);
}
