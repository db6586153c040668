/* cellgraph: what a run's cells used, over time, as a picture.
 * Reads a run record with its samples; draws characters on a terminal, SVG or PNG. */
#include "base/atomic_file.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "cell_chart.h"
#include "chart_svg.h"
#include "chart_text.h"
#include "figure/figure_output.h"
#include "run/cell_ranges.h"
#include "text/text.h"

#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <unistd.h>

enum { PICTURE_WIDTH = 800, MIN_PIXELS = 320 };
enum { MIN_COLUMNS = 40, MAX_COLUMNS = 1000, DEFAULT_COLUMNS = 80 };

static const char *cell_list = "all", *series_list, *role_list, *output, *format;
static long width, height, min_samples = 3, run_number;
static int glyph_word = -1;
static bool idle, each;
static const struct opt opts[] = {
	{'c', "cell", OPT_STRING, &cell_list, 0, 0, "CELLS",
		"cells to draw: 3, last, 2:5, :4, -3:-1, 1,4; default all"},
	{'m', "metric", OPT_STRING, &series_list, 0, 0, "LIST",
		"metrics to draw; default cpu,memory,io, and GPUs and processors where known"},
	{'r', "role", OPT_STRING, &role_list, 0, 0, "LIST",
		"processes to draw; default kernel,browser,process"},
	{'o', "output", OPT_STRING, &output, 0, 0, "FILE",
		"write a picture to FILE.svg, .png or .txt"},
	{'f', "format", OPT_STRING, &format, 0, 0, "FORMAT",
		"text, svg or png; default by FILE's extension, else text"},
	{'W', "width", OPT_INT, &width, 1, 20000, "N",
		"pixels, default 800; columns of text, default the terminal's"},
	{'H', "height", OPT_INT, &height, 1, 20000, "N",
		"pixels; lines of text; default as much as the graphs need"},
	{0, "each", OPT_FLAG, &each, 0, 0, NULL, "draw a separate graph for each cell"},
	{0, "idle", OPT_FLAG, &idle, 0, 0, NULL, "show the time between the cells too"},
	{0, "min-samples", OPT_INT, &min_samples, 1, 1e6, "N",
		"samples that a cell needs for a curve, default 3"},
	{0, "run", OPT_INT, &run_number, 1, 1e6, "K",
		"draw the K-th run of a stream, default the last"},
	{0, "glyphs", OPT_CHOICE, &glyph_word, 0, 0, "WORD",
		"braille, block or ascii; default what the terminal can show",
		.words = "braille block ascii"},
	{0},
};
static const struct opt_usage usage = {"cellgraph", "[options] [FILE]",
	"Draws what cells used over time: CPU, memory, I/O, GPU.", opts};

static struct run_reader reader;
static struct loaded_run run;
static struct run_series series;
static enum { TEXT, SVG, PNG } kind;

/* ---- options -------------------------------------------------------------------------- */

static bool
choose_series(const char *word)
{
	static const char *const groups[][5] = {
		{"io", "read", "write"},
		{"syscall-io", "syscall-read", "syscall-write"},
		{"gpu-all", "gpu", "gpu-memory", "gpu-bandwidth", "gpu-power"},
		{"pressure", "cpu-pressure", "io-pressure", "memory-pressure"},
	};
	bool all = strcmp(word, "all") == 0;
	bool found = strcmp(word, processor_series_def.key) == 0;
	series.each_chosen |= found || all;
	for (size_t i = 0; i < COUNT(groups); i++)
		if (strcmp(word, groups[i][0]) == 0)
			for (size_t k = 1; k < COUNT(groups[i]) && groups[i][k]; k++)
				found = choose_series(groups[i][k]);
	for (size_t m = 0; m < METRIC_SERIES; m++) {
		const struct series_def *def = &metric_series[m];
		if (all || strcmp(word, def->key) == 0 ||
		    (def->alias && strcmp(word, def->alias) == 0))
			found = series.chosen[m] = true;
	}
	return found;
}

static bool
choose_role(const char *word)
{
	bool all = strcmp(word, "all") == 0;
	enum role role = role_of(word);
	for (size_t r = 0; r < ROLES; r++)
		series.role[r] |= all || r == role;
	return all || role != ROLES;
}

static void
xchoose(const char *list, bool (*choose)(const char *), const char *what)
{
	char *copy = xstrdup(list), *rest = copy, *word;
	while ((word = strsep(&rest, ",")))
		if (!choose(word))
			opt_die(&usage, "unknown %s '%s'", what, word);
	free(copy);
}

static void
choose_kind(void)
{
	const char *dot = output ? strrchr(output, '.') : NULL;
	const char *word = format ? format : dot ? dot + 1 : "";
	bool text = strcmp(word, "txt") == 0 || (format ? strcmp(word, "text") == 0 : !output);
	enum figure_format as = figure_format_of(word);
	kind = as == FIGURE_SVG ? SVG : as == FIGURE_PNG ? PNG : TEXT;
	if (kind == TEXT && !text && format)
		opt_die(&usage, "--format must be text, svg or png, not '%s'", format);
	if (kind == TEXT && !text)
		opt_die(&usage, "unknown format of '%s': use --format", output);
	if (kind == PNG && !output && isatty(STDOUT_FILENO))
		opt_die(&usage, "refusing to write PNG to a terminal (use --output FILE)");
	if (kind != TEXT && !output && each)
		opt_die(&usage, "--each requires --output FILE");
	if (kind != TEXT && width && width < MIN_PIXELS)
		opt_die(&usage, "--width: a picture must be at least %d pixels wide", MIN_PIXELS);
	if (kind == TEXT && width && width < MIN_COLUMNS)
		opt_die(&usage, "--width: text must be at least %d columns wide", MIN_COLUMNS);
}

static enum glyphs
glyphs(void)
{
	const char *term = getenv("TERM");
	if (glyph_word >= 0)
		return (enum glyphs)glyph_word;
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		return G_ASCII;
	/* The Linux console's fonts have blocks and no braille. */
	return term && strcmp(term, "linux") == 0 ? G_BLOCK : G_BRAILLE;
}

/* ---- the record ------------------------------------------------------------------------ */

static void
read_series_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	static bool over;
	if (run_record_kind(s) == RUN_BEGIN) {
		over |= run_number && (long)reader.number == run_number;
		if (!over)
			run_series_clear(&series);
	}
	if (over)
		return;
	if (loaded_run_read(&run, &reader, s, in, line, len) == RUN_CELL)
		xloaded_run_index(&reader.cell, in);
	run_series_read(&series, s);
}

static bool
took_time(const struct run_cell *c)
{
	return c->end_t > c->begin_t;
}

/* The cells that are shown, and how many of those asked for took no time. */
static size_t
xselect_cells(const struct run_cell **shown, size_t *without)
{
	struct cell_ranges *chosen = xcell_ranges(cell_list, "--cell");
	size_t n = 0, k = 0, found = 0;
	const struct run_cell *one = NULL;
	for (size_t i = 0; i < run.n; i++)
		n += took_time(&run.cells[i]);
	for (size_t i = 0; i < run.n; i++) {
		const struct run_cell *c = &run.cells[i];
		bool time = took_time(c);
		if (cell_ranges_have(chosen, c->index, time ? k : n, n)) {
			if (time)
				shown[found++] = c;
			else
				one = c;
			*without += !time;
		}
		k += time;
	}
	if (!found && one)
		die(ST_UNKNOWN, "cell %ld took no time: %s%s%s", one->index,
		    json_is_true(json_object_get(one->record, "empty")) ? "it is empty"
		    : cell_status_word(one->status),
		    one->reason ? ": " : "", one->reason ? one->reason : "");
	if (!found && (run.n || strcmp(cell_list, "all") != 0))
		die(ST_UNKNOWN, "no cell '%s' in the record, which has %zu", cell_list, run.n);
	free(chosen);
	return found;
}

/* No panels for GPUs that the machine does not have, unless they were asked for. */
static void
drop_absent_gpus(void)
{
	for (size_t m = 0; m < METRIC_SERIES; m++) {
		size_t n = 0;
		for (size_t i = 0; i < SLOTS; i++)
			n += series.v[m][i].n;
		if (!n && metric_series[m].flags & SERIES_GPU)
			series.chosen[m] = false;
	}
}

/* ---- output ----------------------------------------------------------------------------- */

/* With --each graph.svg becomes graph-3.svg for cell 3, and graph-3-2.svg where it ran again. */
static char *
file_for(const struct run_cell *c, size_t time)
{
	const char *folders = strrchr(output, '/'), *dot = strrchr(folders ? folders : output, '.');
	size_t stem = dot ? (size_t)(dot - output) : strlen(output);
	if (!each || !c)
		return xstrdup(output);
	if (time > 1)
		return xasprintf("%.*s-%ld-%zu%s", (int)stem, output, c->index, time,
		    output + stem);
	return xasprintf("%.*s-%ld%s", (int)stem, output, c->index, output + stem);
}

/* How often the last of these cells is among them. */
static size_t
count_last(const struct run_cell **cells, size_t n)
{
	size_t times = 0;
	for (size_t i = 0; i < n; i++)
		times += cells[i]->index == cells[n - 1]->index;
	return times;
}

static void
xput_png(const char *path, const struct buf *svg)
{
	const struct figure_file file = {path, FIGURE_PNG};
	json_t *text = json_stringn(svg->p, svg->n);
	xfigure_output_write(text, &file, 1);
	json_decref(text);
}

static void
xdraw(const struct run_cell **cells, size_t n, size_t without, size_t time)
{
	size_t wide = width ? (size_t)width : PICTURE_WIDTH;
	if (kind == TEXT && !width)
		wide = text_terminal_columns(STDOUT_FILENO, DEFAULT_COLUMNS, MIN_COLUMNS,
		    MAX_COLUMNS);
	enum glyphs g = kind == TEXT ? glyphs() : G_BRAILLE;
	struct view v = {&run, &series, cells, n, without, idle, (size_t)min_samples,
		kind == TEXT ? chart_text_bins(wide, g) : chart_svg_bins(wide)};
	struct chart *c = cell_chart(&v);
	struct buf b = {0};
	size_t known = 0;
	for (size_t i = 0; i < c->n_panels; i++)
		known += !c->panels[i].note;
	if (!known)
		die(ST_UNKNOWN, "nothing to draw: %s",
		    c->n_panels ? c->panels[0].note : "the record has no cells and no samples");
	if (kind == TEXT)
		chart_text(&b, c, wide, (size_t)height, g, !output);
	else
		chart_svg(&b, c, wide, (size_t)height);
	char *path = output ? file_for(n ? cells[0] : NULL, time) : NULL;
	if (kind == PNG)
		xput_png(path, &b);
	else
		xatomic_file_put_buf(path, &b);
	free(path);
	buf_free(&b);
	cell_chart_free(c);
}

int
main(int argc, char **argv)
{
	char *file[] = {xopt_optional_operand(argc, argv, &usage), NULL};
	setlocale(LC_CTYPE, "");
	choose_kind();
	run_series_clear(&series);
	xchoose(series_list ? series_list : "cpu,memory,io,gpu,gpu-memory", choose_series,
	    "metric");
	xchoose(role_list ? role_list : "kernel,browser,process", choose_role, "role");
	free(xcell_ranges(cell_list, "--cell"));
	signal(SIGINT, SIG_IGN);
	xscan_files(file, read_series_record);
	if (run_number && (long)reader.number < run_number)
		die(ST_UNKNOWN, "no run %ld in the record, which has %u", run_number,
		    reader.number);
	if (!series_list) {
		drop_absent_gpus();
		series.each_chosen = series.each.n >= MANY_PROCESSORS;
	}
	const struct run_cell **shown = xmalloc((run.n + 1) * sizeof(*shown));
	size_t without = 0, n = xselect_cells(shown, &without);
	for (size_t i = 0; each && i < n; i++)
		xdraw(shown + i, 1, 0, count_last(shown, i + 1));
	if (!each || !n)
		xdraw(shown, n, without, 1);
	figure_output_end();
	xoutput_close();
	return ST_OK;
}
