/* cellgraph: what a run's cells used, over time, as a picture.
 * Reads a run record with its samples; draws characters on a terminal, or SVG or
 * PNG.  The record keeps everything, so any run can be looked at afterwards. */
#include "cellchart.h"
#include "text.h"
#include "keep.h"
#include "picks.h"
#include "png.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PICTURE_WIDTH = 800, LEAST_PIXELS = 320, LEAST_COLUMNS = 40, MOST_COLUMNS = 1000, DEFAULT_COLUMNS = 80 };

static const char *cell_list = "all", *metric_list, *role_list, *output, *format, *glyph_word;
static long width, height, min_samples = 3, run_number;
static bool idle, each;
static const struct opt opts[] = {
	{'c', "cell", OPT_STRING, &cell_list, 0, 0, "CELLS", "which cells: 3, last, 2:5, :4, -3:-1, 1,4; default all"},
	{'m', "metric", OPT_STRING, &metric_list, 0, 0, "LIST", "what to show; default cpu,memory,io, and gpu,gpu-memory if known"},
	{'r', "role", OPT_STRING, &role_list, 0, 0, "LIST", "of which processes; default kernel,browser,process"},
	{'o', "output", OPT_STRING, &output, 0, 0, "FILE", "write a picture into FILE; its ending says SVG or PNG"},
	{'f', "format", OPT_STRING, &format, 0, 0, "FORMAT", "text, svg or png; default that of FILE's ending, else text"},
	{'W', "width", OPT_INT, &width, 1, 20000, "N", "pixels, default 800; columns of text, default the terminal's"},
	{'H', "height", OPT_INT, &height, 1, 20000, "N", "pixels; lines of text; default as much as the graphs need"},
	{'e', "each", OPT_FLAG, &each, 0, 0, NULL, "a graph of its own for each cell"},
	{'i', "idle", OPT_FLAG, &idle, 0, 0, NULL, "show the time between the cells too"},
	{'n', "min-samples", OPT_INT, &min_samples, 1, 1e6, "N", "samples that a cell's curve wants, default 3"},
	{'k', "run", OPT_INT, &run_number, 1, 1e6, "K", "the K-th run of a stream, default the last"},
	{'g', "glyphs", OPT_STRING, &glyph_word, 0, 0, "WORD", "braille, block or ascii; default what the terminal can"},
	{0},
};
static const struct usage usage = {"cellgraph", "[options] [FILE]",
	"Draws what cells used over time: CPU, memory, I/O, GPU.", opts};

static struct ran run;
static struct tracks tracks;
static enum { TEXT, SVG, PNG } kind;

/* ---- options -------------------------------------------------------------------------- */

static bool
want_metric(const char *word)
{
	static const char *const groups[][5] = {{"io", "read", "write"}, {"syscall-io", "syscall-read", "syscall-write"},
		{"gpu-all", "gpu", "gpu-memory", "gpu-bandwidth", "gpu-power"}, {"pressure", "cpu-pressure", "io-pressure", "memory-pressure"}};
	bool found = false;
	for (size_t i = 0; i < COUNT(groups); i++)
		if (strcmp(word, groups[i][0]) == 0)
			for (size_t k = 1; k < COUNT(groups[i]) && groups[i][k]; k++)
				found = want_metric(groups[i][k]);
	for (size_t m = 0; m < METRICS; m++)
		if (strcmp(word, "all") == 0 || strcmp(word, metrics[m].key) == 0 || (metrics[m].also && strcmp(word, metrics[m].also) == 0))
			found = tracks.wanted[m] = true;
	return found;
}

static bool
want_role(const char *word)
{
	bool found = false;
	for (size_t r = 0; r < R_GPU; r++)
		if (strcmp(word, "all") == 0 || strcmp(word, role_names[r]) == 0)
			found = tracks.role[r] = true;
	return found;
}

static void
xwant(const char *list, bool (*want)(const char *), const char *what)
{
	char *copy = xstrdup(list), *rest = copy, *word;
	while ((word = strsep(&rest, ",")))
		if (!want(word))
			die_usage(&usage, "no %s '%s'", what, word);
	free(copy);
}

static void
choose_kind(void)
{
	const char *dot = output ? strrchr(output, '.') : NULL, *word = format ? format : dot ? dot + 1 : "";
	if (strcmp(word, "svg") == 0)
		kind = SVG;
	else if (strcmp(word, "png") == 0)
		kind = PNG;
	else if (format ? strcmp(word, "text") != 0 && strcmp(word, "txt") != 0 : output && strcmp(word, "txt") != 0)
		die_usage(&usage, format ? "no format '%s'" : "what '%s' shall be is not in its ending; say --format", format ? format : output);
	if (kind == PNG && !output && isatty(STDOUT_FILENO))
		die_usage(&usage, "a PNG is nothing for a terminal; say --output FILE");
	if (kind != TEXT && !output && each)
		die_usage(&usage, "--each wants --output FILE");
}

static enum glyphs
glyphs(void)
{
	static const char *const words[] = {"braille", "block", "ascii"};
	const char *term = getenv("TERM");
	for (size_t i = 0; glyph_word && i < COUNT(words); i++)
		if (strcmp(glyph_word, words[i]) == 0)
			return (enum glyphs)i;
	if (glyph_word)
		die_usage(&usage, "no glyphs '%s'", glyph_word);
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		return G_ASCII;
	/* The Linux console's fonts have blocks and no braille. */
	return term && strcmp(term, "linux") == 0 ? G_BLOCK : G_BRAILLE;
}

/* ---- the record ------------------------------------------------------------------------ */

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	static bool over;
	(void)line, (void)len;
	if (scan_type_is(s, "run")) {
		over |= run_number && (long)run.number == run_number;
		if (!over)
			tracks_clear(&tracks);
	}
	if (!over && !ran_take(&run, s, in))
		tracks_take(&tracks, s);
}

/* Samples have the kernel's clock where the kernel was watched; cells follow. */
static void
bring_to_samples(void)
{
	for (size_t i = 0; i < run.n && tracks.kernel_here; i++) {
		struct ran_cell *c = &run.v[i];
		c->start_t += c->ahead_s;
		c->turn_t += c->ahead_s;
		c->kernel_end_t += c->ahead_s;
		c->settled_t += c->ahead_s;
	}
}

static bool
took_time(const struct ran_cell *c)
{
	return isfinite(c->start_t) && c->taken_s > 0;
}

/* Of several cells each is shown from its own turn on: what a queued one waited for
 * is shown as the cell's that it waited for. */
static void
begin_at_turns(void)
{
	for (size_t i = 0; i < run.n; i++) {
		struct ran_cell *c = &run.v[i];
		double waited_s = fmin(c->turn_t - c->start_t, c->taken_s);
		if (waited_s > 0) {
			c->start_t += waited_s;
			c->taken_s -= waited_s;
		}
	}
}

/* The cells that are shown, and how many of those asked for took no time. */
static size_t
xselect(const struct ran_cell **shown, size_t *without)
{
	struct picks *picks = xpicks(cell_list, "--cell");
	size_t n = 0, k = 0, found = 0;
	const struct ran_cell *one = NULL;
	for (size_t i = 0; i < run.n; i++)
		n += took_time(&run.v[i]);
	for (size_t i = 0; i < run.n; i++) {
		const struct ran_cell *c = &run.v[i];
		if (took_time(c) ? picked(picks, c->index, k, n) : picked(picks, c->index, n, n)) {
			if (took_time(c))
				shown[found++] = c;
			else
				one = c;
			*without += !took_time(c);
		}
		k += took_time(c);
	}
	if (!found && one)
		die(ST_UNKNOWN, "cell %ld took no time: %s%s%s", one->index, one->empty ? "it is empty" : one->status,
		    one->reason ? ": " : "", one->reason ? one->reason : "");
	if (!found && (run.n || strcmp(cell_list, "all") != 0))
		die(ST_UNKNOWN, "no cell '%s' in the record, which has %zu", cell_list, run.n);
	free(picks);
	return found;
}

/* No panels of GPUs where there is none, unless they were asked for. */
static void
drop_gpus(void)
{
	for (size_t m = 0; m < METRICS; m++) {
		size_t n = 0;
		for (size_t r = 0; r < ROLES; r++)
			n += tracks.v[m][r].n;
		if (!n && metrics[m].is & OF_GPU)
			tracks.wanted[m] = false;
	}
}

/* ---- output ----------------------------------------------------------------------------- */

/* graph.svg is graph-3.svg for cell 3 of each, and graph-3-2.svg where it ran again. */
static char *
file_for(const struct ran_cell *c, size_t turn)
{
	const char *folders = strrchr(output, '/'), *dot = strrchr(folders ? folders : output, '.');
	size_t stem = dot ? (size_t)(dot - output) : strlen(output);
	if (!each || !c)
		return xstrdup(output);
	if (turn > 1)
		return xasprintf("%.*s-%ld-%zu%s", (int)stem, output, c->index, turn, output + stem);
	return xasprintf("%.*s-%ld%s", (int)stem, output, c->index, output + stem);
}

/* How often the last of these cells is among them. */
static size_t
turn_of(const struct ran_cell **cells, size_t n)
{
	size_t turn = 0;
	for (size_t i = 0; i < n; i++)
		turn += cells[i]->index == cells[n - 1]->index;
	return turn;
}

static void
xdraw(const struct ran_cell **cells, size_t n, size_t without, size_t turn)
{
	size_t wide = kind == TEXT && !width ? terminal_columns(STDOUT_FILENO, DEFAULT_COLUMNS, LEAST_COLUMNS, MOST_COLUMNS) : (size_t)(width ? width : PICTURE_WIDTH);
	enum glyphs g = kind == TEXT ? glyphs() : G_BRAILLE;
	struct view v = {&run, &tracks, cells, n, without, idle, (size_t)min_samples, kind == TEXT ? text_bins(wide, g) : svg_bins(wide)};
	struct chart *c = cell_chart(&v);
	struct buf b = {0}, png = {0};
	const char *term = getenv("TERM");
	size_t known = 0;
	for (size_t i = 0; i < c->n_panels; i++)
		known += !c->panels[i].note;
	if (!known)
		die(ST_UNKNOWN, "nothing to draw: %s", c->n_panels ? c->panels[0].note : "the record has no cells and no samples");
	if (kind == TEXT)
		chart_text(&b, c, wide, (size_t)height, g, !output && isatty(STDOUT_FILENO) && !getenv("NO_COLOR") && term && strcmp(term, "dumb") != 0);
	else
		chart_svg(&b, c, wide, (size_t)height);
	char error[256];
	if (kind == PNG && !svg_to_png(&png, &b, error))
		die(ST_SYSTEM, "cannot make a PNG: %s", error);
	char *path = output ? file_for(n ? cells[0] : NULL, turn) : NULL;
	xput_buf(path, kind == PNG ? &png : &b);
	free(path);
	buf_free(&png);
	buf_free(&b);
	chart_free(c);
}

int
main(int argc, char **argv)
{
	char *file[] = {xmay_operand(argc, argv, &usage), NULL};
	setlocale(LC_CTYPE, "");
	choose_kind();
	if (kind != TEXT && width && width < LEAST_PIXELS)
		die_usage(&usage, "a picture is at least %d pixels wide", LEAST_PIXELS);
	if (kind == TEXT && width && width < LEAST_COLUMNS)
		die_usage(&usage, "text is at least %d columns wide", LEAST_COLUMNS);
	tracks_start(&tracks);
	xwant(metric_list ? metric_list : "cpu,memory,io,gpu,gpu-memory", want_metric, "metric");
	xwant(role_list ? role_list : "kernel,browser,process", want_role, "role");
	free(xpicks(cell_list, "--cell"));
	signal(SIGINT, SIG_IGN);
	xscan_files(file, take);
	if (run_number && (long)run.number < run_number)
		die(ST_UNKNOWN, "no run %ld in the record, which has %u", run_number, run.number);
	if (!metric_list)
		drop_gpus();
	bring_to_samples();
	const struct ran_cell **shown = xmalloc((run.n + 1) * sizeof(*shown));
	size_t without = 0, n = xselect(shown, &without);
	if (!each && n > 1)
		begin_at_turns();
	for (size_t i = 0; each && i < n; i++)
		xdraw(shown + i, 1, 0, turn_of(shown, i + 1));
	if (!each || !n)
		xdraw(shown, n, without, 1);
	xclose_stdout();
	return ST_OK;
}
