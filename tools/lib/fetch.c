/* fetch.c: the notebook's file as the server has it, however large, in little memory. */
#include "labpage.h"

#include <stdlib.h>
#include <unistd.h>

enum { FETCH_MS = 120000 };

/* The server may be writing the file while it sends it: whole is what ends with
 * the bracket that closes the first. */
struct fetch {
	FILE *f;
	long depth;
	bool text, escaped, begun, ended, bad;
};

static int
take(void *to, const char *data, size_t n)
{
	struct fetch *w = to;
	for (size_t i = 0; i < n; i++) {
		char c = data[i];
		if (w->text) {
			w->text = w->escaped || c != '"';
			w->escaped = !w->escaped && c == '\\';
			continue;
		}
		w->text = c == '"';
		w->depth += (c == '{' || c == '[') - (c == '}' || c == ']');
		w->begun = w->begun || w->depth > 0;
		w->ended = w->begun && w->depth == 0;
	}
	w->bad = w->bad || fwrite(data, 1, n, w->f) != n;
	return w->bad;
}

int
place_fetch(struct place *p, FILE *to)
{
	struct fetch w = {.f = to};
	struct reply r;
	char *path = url_path("files/", p->path), *url = xasprintf("%s%s", p->lab->url, path);
	rewind(to);
	http_call(p->lab->http, &(struct request){.method = "GET", .url = url, .timeout_ms = FETCH_MS, .sink = take, .to = &w}, &r);
	bool whole = r.status == 200 && w.ended && !w.bad && fflush(to) == 0 && ftruncate(fileno(to), ftell(to)) == 0;
	if (!whole)
		snprintf(p->lab->error, sizeof p->lab->error, "GET '%s': %s", path, r.status == 200 ? "it is not whole" : r.status ? "the server refuses" : r.error);
	reply_free(&r);
	free(url);
	free(path);
	return whole ? 0 : -1;
}
