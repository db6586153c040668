/* plot_draw.c: a figure as a gnuplot script, and gnuplot.
 *
 * A script is a program, and texts are untrusted: each is a quoted string of octal
 * escapes, so that gnuplot cannot interpret any byte of it.  gnuplot is started without
 * a shell and without its start-up files, and reads and writes only three anonymous files.
 */
#include "base/buf.h"
#include "base/clock.h"
#include "base/nbscope.h"
#include "base/die.h"
#include "plot_draw.h"
#include "plot_figure.h"
#include "plot_glyph.h"
#include "plot_text.h"
#include "plot_web.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PNG_PER_INCH = 300, GNUPLOT_LIMIT_MS = 120000, COMPLAINT_BYTES = 300 };
/* gnuplot's units: a pane's px to each terminal's points, found by measuring its output. */
#define PT_PER_PX 0.75
#define PDF_FONT (PT_PER_PX * 0.75)
#define PDF_LINE 1.5

static bool drawn_here;	/* texts too; the viewer of an SVG draws its texts */

/* ---- the script -------------------------------------------------------------------- */

static void
quoted(struct buf *b, const char *text)
{
	buf_add(b, "\"", 1);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		buf_addf(b, "\\%03o", c < ' ' || c == 127 ? ' ' : c);
	}
	buf_add(b, "\"", 1);
}

static void
terminal(struct buf *b, const struct drawing *f, enum picture as)
{
	const char *common = "noenhanced background rgb \"#ffffff\"";
	double png = (double)PNG_PER_INCH / PX_PER_INCH;
	if (as == PICTURE_PNG)
		buf_addf(b, "set terminal pngcairo size %.0f,%.0f font \"DejaVu Sans,%d\" fontscale %g linewidth %g pointscale %g %s\n",
		         f->width * png, f->height * png, PX_TEXT, png * PT_PER_PX, png, png, common);
	else if (as == PICTURE_PDF)
		buf_addf(b, "set terminal pdfcairo size %.5fin,%.5fin font \"DejaVu Sans,%d\" fontscale %g linewidth %g %s\n",
		         f->width / PX_PER_INCH, f->height / PX_PER_INCH, PX_TEXT, PDF_FONT, PDF_LINE, common);
	else
		buf_addf(b, "set terminal svg size %.0f,%.0f fixed font \"DejaVu Sans,%d\" name \"f\" %s\n",
		         f->width, f->height, PX_TEXT, common);
}

static void
number(struct buf *b, double v)
{
	if (isfinite(v))
		buf_addf(b, "%.15g", v);
	else
		buf_addf(b, "NaN");
}

static void
colour(struct buf *b, const struct style *s)
{
	unsigned clear = (unsigned)(255 * (1 - s->alpha) + 0.5);
	buf_addf(b, "rgb \"#%02x%06x\"", clear, s->rgb);
}

/* Datablocks: $L0, $L1 ... */
static void
data(struct buf *b, const struct layer *l, size_t number_of)
{
	size_t each = l->kind == MARK_BAR ? 4 : 2;
	buf_addf(b, "$L%zu << EOD\n", number_of);
	for (size_t i = 0; i + each <= l->n; i += each) {
		if (each == 2 && isnan(l->v[i])) {
			buf_addf(b, "\n");
			continue;
		}
		for (size_t k = 0; k < each; k++) {
			number(b, l->v[i + k]);
			buf_add(b, k + 1 < each ? " " : "\n", 1);
		}
	}
	buf_addf(b, "EOD\n");
}

static void
mark(struct buf *b, const struct layer *l, size_t number_of)
{
	static const int types[PLOT_SHAPES] = {7, 9, 5, 13, 6, 11, 4, 12, 0, 1};
	static const char *const dashes[] = {"solid", "(6,3)", "(2,2)", "(6,2,2,2)"};
	const struct style *s = &l->style;
	buf_addf(b, "$L%zu using ", number_of);
	switch (l->kind) {
	case MARK_BAR:
		buf_addf(b, "1:3:1:2:3:4 with boxxyerror fs solid noborder fc ");
		break;
	case MARK_AREA:
		buf_addf(b, "1:2 with filledcurves closed fs solid noborder fc ");
		break;
	case MARK_LINE:
		buf_addf(b, "1:2 with lines lw %g dt %s lc ", s->size, dashes[s->dash & 3]);
		break;
	case MARK_POINT:
		/* gnuplot's point of size 1 is 7.5 px high. */
		buf_addf(b, "1:2 with points pt %d ps %g lw 0.8 lc ", types[s->shape], s->size / 7.5);
		break;
	}
	colour(b, s);
	buf_addf(b, " notitle");
}

static void
axis(struct buf *b, char name, const struct scale *s)
{
	buf_addf(b, "unset logscale %c\nset %crange [", name, name);
	number(b, s->lo);
	buf_addf(b, ":");
	number(b, s->hi);
	buf_addf(b, "]\n");
	if (s->log)
		buf_addf(b, "set logscale %c\n", name);
	if (!s->n) {
		buf_addf(b, "unset %ctics\n", name);
		return;
	}
	buf_addf(b, "set %ctics out nomirror scale %s (", name, s->bare ? "0,0" : "0.4,0.2");
	for (size_t i = 0; i < s->n; i++) {
		buf_addf(b, "%s\"\" %.15g %d", i ? "," : "", s->ticks[i].at, *s->ticks[i].name ? 0 : 1);
	}
	buf_addf(b, ")\n");
}

static void
pane(struct buf *b, const struct drawing *f, const struct pane *p)
{
	size_t shown = 0;
	for (size_t i = 0; i < p->n_layers; i++)
		if (p->layers[i].n)
			data(b, &p->layers[i], i);
	buf_addf(b, "set lmargin at screen %.7f\nset rmargin at screen %.7f\nset tmargin at screen %.7f\nset bmargin at screen %.7f\n",
	         p->left / f->width, p->right / f->width, 1 - p->top / f->height, 1 - p->bottom / f->height);
	buf_addf(b, "set border %d back lc rgb \"#%06x\" lw 0.8\n", (p->x.bare ? 0 : 1) + (p->y.bare ? 0 : 2), SOFT);
	axis(b, 'x', &p->x);
	axis(b, 'y', &p->y);
	buf_addf(b, "unset grid\n");
	if (p->x.grid || p->y.grid)
		buf_addf(b, "set grid %s %s back lt 1 lc rgb \"#e4e4e4\" lw 0.7\n", p->x.grid ? "xtics" : "noxtics", p->y.grid ? "ytics" : "noytics");
	for (size_t i = 0; i < p->n_layers; i++)
		if (p->layers[i].n) {
			buf_addf(b, shown++ ? ", " : "plot ");
			mark(b, &p->layers[i], i);
		}
	buf_addf(b, shown ? "\n" : "plot NaN notitle\n");
	buf_addf(b, "unset label\n");
}

static void
label(struct buf *b, const struct drawing *f, const struct plot_words *w)
{
	static const char *const aligns[] = {"left", "right", "center"};
	char *text = drawn_here ? plot_glyph_text(w->text) : xstrdup(w->text);
	buf_addf(b, "set label ");
	quoted(b, text);
	free(text);
	buf_addf(b, " at screen %.6f,%.6f %s%s font \"DejaVu Sans%s,%g\" tc rgb \"#%06x\" front\n", w->x / f->width, 1 - w->y / f->height,
	         aligns[w->align], w->turned ? " rotate by 90" : "", w->bold ? ":Bold" : "", w->px, w->rgb);
}

/* The label at an axis' end stays within the figure. */
static double
tick_x(const struct drawing *f, const struct pane *p, const struct tick *tick)
{
	double half = plot_text_px(tick->name, PX_TEXT) / 2 + 1;
	return fmax(half, fmin(f->width - half, plot_pane_x(p, tick->at)));
}

/* gnuplot truncates the labels of ticks after 50 bytes, so they are drawn as other texts. */
static void
titles(struct buf *b, const struct drawing *f, const struct pane *p)
{
	double widest = 0;
	for (size_t i = 0; i < p->x.n; i++)
		label(b, f, &(struct plot_words){tick_x(f, p, &p->x.ticks[i]), p->bottom + 13, PX_TEXT, TO_MIDDLE, false, false, INK, p->x.ticks[i].name});
	for (size_t i = 0; i < p->y.n; i++) {
		label(b, f, &(struct plot_words){p->left - (p->y.bare ? 5 : 8), plot_pane_y(p, p->y.ticks[i].at), PX_TEXT, TO_RIGHT, false, false, INK, p->y.ticks[i].name});
		widest = fmax(widest, plot_text_px(p->y.ticks[i].name, PX_TEXT));
	}
	if (p->x.title) {
		char *fits = plot_text_fit(p->x.title, PX_TEXT, p->right - p->left + 30);
		label(b, f, &(struct plot_words){(p->left + p->right) / 2, p->bottom + (p->x.n ? 28 : 10), PX_TEXT, TO_MIDDLE, false, false, INK, fits});
		free(fits);
	}
	if (p->y.title)
		label(b, f, &(struct plot_words){p->left - widest - 18, (p->top + p->bottom) / 2, PX_TEXT, TO_MIDDLE, false, true, INK, p->y.title});
}

static void
script(struct buf *b, const struct drawing *f, enum picture as)
{
	drawn_here = as == PICTURE_PNG || as == PICTURE_PDF;
	buf_addf(b, "set encoding utf8\n");
	terminal(b, f, as);
	buf_addf(b, "set multiplot\nunset key\n");
	/* All texts are part of the last pane, on top. */
	for (size_t i = 0; i < f->n_panes; i++) {
		titles(b, f, f->panes[i]);
		if (i + 1 == f->n_panes)
			for (size_t k = 0; k < f->n_words; k++)
				label(b, f, &f->words[k]);
		pane(b, f, f->panes[i]);
	}
	buf_addf(b, "unset multiplot\n");
}

/* ---- gnuplot ------------------------------------------------------------------------ */

static int
xmemory_file(const char *name, const struct buf *b)
{
	int fd = memfd_create(name, MFD_CLOEXEC);
	for (size_t done = 0; fd >= 0 && b && done < b->n;) {
		ssize_t n = write(fd, b->p + done, b->n - done);
		if (n < 0 && errno != EINTR)
			die(ST_SYSTEM, "cannot write gnuplot's script:");
		done += n < 0 ? 0 : (size_t)n;
	}
	if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0)
		die(ST_SYSTEM, "cannot create a file in memory:");
	return fd;
}

static void
xtake(struct buf *to, int fd)
{
	char piece[65536];
	ssize_t n;
	if (lseek(fd, 0, SEEK_SET) < 0)
		die(ST_SYSTEM, "cannot read what gnuplot wrote:");
	while ((n = read(fd, piece, sizeof(piece))) != 0)
		if (n < 0 ? errno != EINTR : buf_add(to, piece, (size_t)n) < 0)
			die(ST_SYSTEM, "cannot read what gnuplot wrote:");
}

static _Noreturn void
become_gnuplot(int in, int out, int err)
{
	static char *const argv[] = {(char *)"gnuplot", (char *)"--default-settings", NULL};
	/* These make gnuplot read files or run programs. */
	static const char *const away[] = {"GNUTERM", "GNUPLOT_LIB", "GNUPLOT_FONTPATH", "GNUPLOT_DRIVER_DIR", "GNUPLOT_PS_DIR", "GNUHELP", "PAGER"};
	for (size_t i = 0; i < COUNT(away); i++)
		unsetenv(away[i]);
	if (setenv("LC_ALL", "C.UTF-8", 1) == 0 && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0)
		execvp(argv[0], argv);
	_exit(errno == ENOENT ? 127 : 126);
}

static int
xwait(pid_t pid)
{
	int status, fd = (int)pidfd_open(pid, 0);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	uint64_t end = clock_monotonic_ns() + GNUPLOT_LIMIT_MS * UINT64_C(1000000);
	int n = 0;
	while (fd >= 0 && clock_monotonic_ns() < end && (n = poll(&p, 1, (int)((end - clock_monotonic_ns()) / 1000000) + 1)) < 0 && errno == EINTR)
		continue;
	if (fd >= 0 && n == 0) {
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		die(ST_TIMEOUT, "gnuplot did not finish within %d s", GNUPLOT_LIMIT_MS / 1000);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die(ST_SYSTEM, "cannot wait for gnuplot:");
	if (fd >= 0)
		close(fd);
	return status;
}

static void
xgnuplot(struct buf *to, const struct buf *from)
{
	int in = xmemory_file("script", from), out = xmemory_file("picture", NULL), err = xmemory_file("complaints", NULL);
	pid_t pid = fork();
	if (pid < 0)
		die(ST_SYSTEM, "cannot start gnuplot:");
	if (pid == 0)
		become_gnuplot(in, out, err);
	int status = xwait(pid);
	struct buf said = {0};
	xtake(to, out);
	xtake(&said, err);
	close(in), close(out), close(err);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		die(ST_SYSTEM, "cannot run gnuplot, which figures require: install gnuplot-nox (make setup does)");
	if (!WIFEXITED(status) || WEXITSTATUS(status) || !to->n) {
		for (char *c = said.n ? said.p : NULL; c && *c; c++)
			*c = *c == '\n' ? ' ' : *c;
		die(ST_SYSTEM, "gnuplot failed: %.*s", COMPLAINT_BYTES, said.n ? said.p : "it wrote nothing");
	}
	if (said.n)
		log_at(LOG_LEVEL_DEBUG, "gnuplot: %.*s", COMPLAINT_BYTES, said.p);
	buf_free(&said);
}

void
xplot_draw(struct buf *to, const struct drawing *f, enum picture as)
{
	struct buf text = {0}, svg = {0};
	script(&text, f, as);
	bool web = as == PICTURE_SVG || as == PICTURE_HTML;
	xgnuplot(web ? &svg : to, &text);
	if (as == PICTURE_SVG)
		plot_web_svg(to, f, svg.p);
	else if (as == PICTURE_HTML)
		plot_web_page(to, f, svg.p);
	buf_free(&svg);
	buf_free(&text);
}
