/* fetch.c: downloads the notebook's file, however large, in little memory. */
#include "server/fetch.h"
#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/die.h"
#include "net/url.h"

#include <unistd.h>

enum { FETCH_MS = 120000, STEP_MS = 20 };

/* The server may send the file while it is writing it: it is complete if its last bracket
 * closes its first. */
struct download {
	FILE *f;
	long depth;
	bool in_string, escaped, begun, ended, bad;
};

static int
on_data(void *arg, const char *data, size_t n)
{
	struct download *d = arg;
	for (size_t i = 0; i < n; i++) {
		char c = data[i];
		if (d->in_string) {
			d->in_string = d->escaped || c != '"';
			d->escaped = !d->escaped && c == '\\';
			continue;
		}
		d->in_string = c == '"';
		d->depth += (c == '{' || c == '[') - (c == '}' || c == ']');
		d->begun = d->begun || d->depth > 0;
		d->ended = d->begun && d->depth == 0;
	}
	d->bad = d->bad || fwrite(data, 1, n, d->f) != n;
	return d->bad;
}

/* Replaces the content of `to`.  0, or -1: see lab->error. */
static int
fetch_notebook(struct server_files *f, FILE *to)
{
	struct download d = {.f = to};
	struct http_reply r;
	char *path = url_path("files/", f->path), *url = xasprintf("%s%s", f->lab->url, path);
	rewind(to);
	http_call(f->lab->http, &(struct http_request){.method = "GET", .url = url,
	    .timeout_ms = FETCH_MS, .sink = on_data, .sink_arg = &d}, &r);
	bool complete = r.status == 200 && d.ended && !d.bad && fflush(to) == 0 &&
	    ftruncate(fileno(to), ftell(to)) == 0;
	if (!complete)
		lab_set_error(f->lab, "GET '%s': %s", path, r.status == 200 ? "it is incomplete" :
		    r.status ? "the server refuses" : r.error);
	http_reply_free(&r);
	free(url);
	free(path);
	return complete ? 0 : -1;
}

void
xfetch_executed(struct server_files *f, const char *path, uint64_t end_ns)
{
	static struct atomic_file file;	/* an exit handler removes it if need be */
	xatomic_file_open(&file, path);
	int bad = fetch_notebook(f, file.f);
	while (bad && clock_monotonic_ns() < end_ns && !http_stop) {
		clock_pause_ms(STEP_MS);
		bad = fetch_notebook(f, file.f);
	}
	if (bad) {
		warn("cannot save the executed notebook: %s", f->lab->error);
		atomic_file_abort(&file);
	} else if (atomic_file_commit(&file) != 0) {
		die(ST_SYSTEM, "cannot write '%s':", path);
	}
}
