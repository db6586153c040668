/* lab_env.c: the Jupyter server and the credentials that the environment names. */
#include "jupyter/lab_env.h"
#include "base/die.h"
#include "base/str.h"
#include "net/url.h"

#include <ctype.h>
#include <stdio.h>

/* Removes white space at both ends, since tokens come from files; NULL if nothing is left. */
static char *
trimmed(const char *s)
{
	static const char blanks[] = " \t\r\n";
	if (!s)
		return NULL;
	s += strspn(s, blanks);
	size_t n = strlen(s);
	while (n && strchr(blanks, s[n - 1]))
		n--;
	return n ? xasprintf("%.*s", (int)n, s) : NULL;
}

/* It would begin another line of a request. */
static bool
has_control(const char *s)
{
	while (s && *s && !iscntrl((unsigned char)*s))
		s++;
	return s && *s;
}

/* Cuts off the query, and returns the token that was in it, or NULL. */
static char *
cut_query(char *url)
{
	char *token = NULL, *query = strpbrk(url, "?#");
	if (!query)
		return NULL;
	*query++ = '\0';
	for (char *part; (part = strsep(&query, "?&#")); )
		if (!token && strncmp(part, "token=", 6) == 0 && part[6]) {
			url_unescape(part);
			token = trimmed(part + 6);
		}
	return token;
}

/* The base of an address as users copy it from the browser: without a page of JupyterLab or
 * of the hub, and with one "/" at the end. */
static char *
base_url(char *url)
{
	static const char *const pages[] = {"lab", "tree", "login", "hub"};
	char *host = strstr(url, "://"), *path = host ? strchr(host + 3, '/') : NULL;
	for (char *p = path; p && *p; p = strchr(p + 1, '/')) {
		size_t n = strcspn(p + 1, "/");
		/* A user of the hub may be called "lab". */
		bool is_user = p - url >= 5 && strncmp(p - 5, "/user", 5) == 0;
		for (size_t i = 0; !is_user && i < COUNT(pages); i++)
			if (strlen(pages[i]) == n && strncmp(p + 1, pages[i], n) == 0)
				*p = '\0';
	}
	for (size_t n = strlen(url); n && url[n - 1] == '/'; )
		url[--n] = '\0';
	return xasprintf("%s/", url);
}

bool
lab_env_read(struct lab_env *e, char error[512])
{
	char *url = trimmed(getenv("JUPYTERLAB_URL"));
	const char *host = url ? strstr(url, "://") : NULL;
	*e = (struct lab_env){.token = url ? cut_query(url) : NULL,
	    .user = str_nonempty(getenv("JUPYTERLAB_USERNAME")),
	    .password = str_nonempty(getenv("JUPYTERLAB_PASSWORD"))};
	if (!e->token)
		e->token = trimmed(getenv("JUPYTERLAB_TOKEN"));
	if (!url)
		snprintf(error, 512, "JUPYTERLAB_URL is not set");
	else if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
		snprintf(error, 512, "JUPYTERLAB_URL must begin with http:// or https://");
	else if (host && memchr(host + 3, '@', strcspn(host + 3, "/")))
		snprintf(error, 512, "JUPYTERLAB_URL must not contain a password: set "
		    "JUPYTERLAB_USERNAME and JUPYTERLAB_PASSWORD");
	else if (has_control(url) || has_control(e->token))
		snprintf(error, 512, "%s contains a control character",
		    has_control(url) ? "JUPYTERLAB_URL" : "the token of the server");
	else
		e->url = base_url(url);
	free(url);
	return e->url;
}

void
lab_env_free(struct lab_env *e)
{
	free(e->url);
	free(e->token);
	*e = (struct lab_env){0};
}
