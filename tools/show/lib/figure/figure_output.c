/* figure_output.c: a Vega-Lite specification as files, drawn by share/figure/render.py, which
 * runs in a Python process.  One process draws all figures. */
#include "figure/figure_output.h"
#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/installation.h"
#include "base/kernel_call.h"
#include "base/python_child.h"
#include "json/json_text.h"

#include <signal.h>
#include <stdio.h>
#include <strings.h>
#include <unistd.h>

enum { MAX_BYTES = 1 << 30, PIECE = 1 << 16 };

EMBED_STATIC(figure_render_py, "share/figure/render.py");
EMBED_STATIC(figure_page_js, "share/figure/groups.js");
EMBED_STATIC(figure_font_cache_so, OBJ_DIR "fontcache.so");
extern const char figure_render_py[], figure_page_js[], figure_font_cache_so[],
    figure_font_cache_so_end[];

static const char *const words[FIGURE_FORMATS] = {"svg", "png", "pdf", "html", "spec"};
static struct child renderer;

enum figure_format
figure_format_of(const char *word)
{
	enum figure_format f = 0;
	while (f < FIGURE_FORMATS && strcasecmp(word, words[f]) != 0)
		f++;
	return strcasecmp(word, "json") == 0 ? FIGURE_SPEC : f;
}

/* With preload/fontcache.c, which is in memory; without it, drawing only takes longer. */
static void
xstart_renderer(void)
{
	char *before = getenv("LD_PRELOAD") ? xstrdup(getenv("LD_PRELOAD")) : NULL;
	size_t n = (size_t)(figure_font_cache_so_end - figure_font_cache_so);
	int fd = kernel_call_memory_file("fontcache", false);
	if (fd >= 0 && write(fd, figure_font_cache_so, n) == (ssize_t)n) {
		char *more = xasprintf("/proc/self/fd/%d%s%s", fd, before ? ":" : "",
		    before ? before : "");
		setenv("LD_PRELOAD", more, 1);
		free(more);
	}
	xpython_child_start(&renderer, "NBSCOPE_FIGURE_VENV", "figure-venv", figure_render_py);
	if (before)
		setenv("LD_PRELOAD", before, 1);
	else
		unsetenv("LD_PRELOAD");
	if (fd >= 0)
		close(fd);
	free(before);
}

void
xfigure_output_start(void)
{
	if (!renderer.to)
		xstart_renderer();
	/* As of any filter, whose reader may leave. */
	signal(SIGPIPE, SIG_DFL);
}

void
figure_output_end(void)
{
	child_end(&renderer);
}

/* ---- what the process answers ---------------------------------------------------------- */

static void
xget(void *data, size_t n, bool first)
{
	if (!n || fread(data, 1, n, renderer.from) == n)
		return;
	xchild_end_killed(&renderer, "cannot draw");
	if (!first)
		die(ST_SYSTEM, "cannot draw: the process that draws has ended");
	die(ST_SYSTEM, "cannot draw: no Python with vl-convert-python (run '%s setup', or set "
	    "NBSCOPE_FIGURE_VENV)", installation_command());
}

static void
xget_picture(struct buf *b, bool first)
{
	static bool answered;
	uint32_t n, length = 0;
	char piece[PIECE];
	xget(&n, sizeof n, first && !answered);
	answered = true;
	if (n == UINT32_MAX) {
		xget(&length, sizeof length, false);
		length = length < PIECE ? length : PIECE - 1;
		xget(piece, length, false);
		die(ST_SYSTEM, "cannot draw: %.*s", (int)length, piece);
	}
	if (n > MAX_BYTES)
		die(ST_SYSTEM, "cannot draw: a picture of %u bytes", n);
	for (uint32_t done = 0, k; done < n; done += k) {
		k = n - done < PIECE ? n - done : PIECE;
		xget(piece, k, false);
		buf_add(b, piece, k);
	}
}

static void
request(const json_t *spec, const struct figure_file *files, size_t n)
{
	json_t *formats = json_array(), *all = json_pack("{s:O, s:o}", "spec", spec, "formats",
	    formats);
	for (size_t i = 0; i < n; i++) {
		if (files[i].as != FIGURE_SPEC)
			json_array_append_new(formats, json_string(words[files[i].as]));
		if (files[i].as == FIGURE_HTML)
			json_object_set_new(all, "script", json_string(figure_page_js));
	}
	struct buf text = {0};
	json_text_add(&text, all);
	buf_add(&text, "\n", 1);
	/* One that did not start is reported when it does not answer. */
	signal(SIGPIPE, SIG_IGN);
	fwrite(text.p, 1, text.n, renderer.to);
	fflush(renderer.to);
	signal(SIGPIPE, SIG_DFL);
	buf_free(&text);
	json_decref(all);
}

void
xfigure_output_write(const json_t *spec, const struct figure_file *files, size_t n)
{
	size_t drawn = 0, wanted = 0;
	for (size_t i = 0; i < n; i++)
		wanted += files[i].as != FIGURE_SPEC;
	if (wanted) {
		xfigure_output_start();
		request(spec, files, n);
	}
	for (size_t i = 0; i < n; i++) {
		struct buf b = {0};
		if (files[i].as != FIGURE_SPEC) {
			xget_picture(&b, drawn++ == 0);
		} else {
			json_text_add(&b, spec);
			buf_add(&b, "\n", 1);
		}
		xatomic_file_put_buf(files[i].path, &b);
		buf_free(&b);
	}
}
