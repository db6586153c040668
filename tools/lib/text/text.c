/* text.c: untrusted text on a terminal. */
#include "text/text.h"
#include "base/die.h"
#include "base/output.h"
#include "base/utf8.h"

#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

enum { MAX_LINES = 4 };

static const char dots[] = "...";

/* One character of `text`: its bytes, its columns, and what to show instead (0:
 * itself). */
static size_t
character(const char *text, size_t left, size_t *columns, char *instead)
{
	wchar_t c;
	mbstate_t state = {0};
	size_t n = mbrtowc(&c, text, left, &state);
	*instead = 0;
	*columns = 1;
	if (n == 0 || n > left) {
		*instead = '?';
		return 1;
	}
	int width = wcwidth(c);
	if (c == L'\n' || c == L'\t' || c == L'\r')
		*instead = ' ';
	else if (width < 0 || utf8_is_deceptive((unsigned long)c))
		*instead = '?';
	else
		*columns = (size_t)width;
	return n;
}

size_t
text_show(struct buf *b, const char *text, size_t columns)
{
	static bool ready;
	if (!ready)
		ready = setlocale(LC_CTYPE, "C.UTF-8") != NULL;
	size_t len = strlen(text), start = b->n, keep = start, used = 0, kept = 0;
	size_t room = columns > strlen(dots) ? columns - strlen(dots) : columns;
	for (size_t i = 0, n, wide; i < len; i += n) {
		char instead;
		n = character(text + i, len - i, &wide, &instead);
		if (used + wide > columns) {
			b->n = keep;
			if (columns > strlen(dots)) {
				buf_add(b, dots, strlen(dots));
				kept += strlen(dots);
			}
			return kept;
		}
		buf_add(b, instead ? &instead : text + i, instead ? 1 : n);
		used += wide;
		if (used <= room) {
			keep = b->n;
			kept = used;
		}
	}
	if (!b->p)
		buf_add(b, "", 0);
	return used;
}

size_t
text_columns(const char *text)
{
	struct buf b = {0};
	size_t n = text_show(&b, text, SIZE_MAX);
	buf_free(&b);
	return n;
}

void
text_show_padded(struct buf *b, const char *text, size_t columns)
{
	for (size_t n = text_show(b, text, columns); n < columns; n++)
		buf_add(b, " ", 1);
}

static const char *
last_of(const char *text, const char *word)
{
	const char *last = NULL;
	for (const char *p = text; (p = strstr(p, word)); p++)
		last = p;
	return last;
}

void
text_show_name(struct buf *b, const char *name, size_t columns)
{
	struct buf end = {0}, start = {0};
	const char *at = last_of(name, " cell ");
	if (!at)
		at = strrchr(name, ' ');
	size_t tail = at ? text_show(&end, at, columns) : 0;
	if (!at || tail > columns / 2 || text_columns(name) <= columns) {
		text_show_padded(b, name, columns);
	} else {
		buf_add(&start, name, (size_t)(at - name));
		buf_add(&start, "", 1);
		text_show_padded(b, start.p, columns - tail);
		buf_add(b, end.p, end.n);
	}
	buf_free(&end);
	buf_free(&start);
}

void
text_trim_end(struct buf *b)
{
	while (b->n && b->p[b->n - 1] == ' ')
		b->n--;
}

void
text_put_trimmed(struct buf *b)
{
	text_trim_end(b);
	xoutput_line(b->p ? b->p : "", b->n);
	b->n = 0;
}

/* Begins or ends the style of some text. */
static void
put_mark(enum style of, enum style next)
{
	const char *mark = of ? style_begin(STDOUT_FILENO, next) : "";
	xoutput_text(mark, strlen(mark));
}

void
text_put_wrapped(enum style style, const char *text, size_t indent, size_t columns)
{
	struct buf line = {0}, word = {0};
	size_t room = columns > indent ? columns - indent : 1, used = 0, lines = MAX_LINES;
	put_mark(style, style);
	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		size_t n = strcspn(text, " ");
		char *one = lines == 1 ? xstrdup(text) : xasprintf("%.*s", (int)n, text);
		word.n = 0;
		size_t wide = text_show(&word, one, room);
		if (lines > 1 && used && used + 1 + wide > room) {
			text_put_trimmed(&line);
			used = 0;
			lines--;
		} else {
			buf_addf(&line, "%*s", used ? 1 : (int)indent, "");
			buf_add(&line, word.p, word.n);
			used += wide + (used > 0);
			text += lines == 1 ? strlen(text) : n;
		}
		free(one);
	}
	if (line.n)
		text_put_trimmed(&line);
	put_mark(style, STYLE_NONE);
	buf_free(&line);
	buf_free(&word);
}

void
text_put_styled(enum style style, const char *line)
{
	put_mark(style, style);
	xoutput_text(line, strlen(line));
	put_mark(style, STYLE_NONE);
	xoutput_line("", 0);
}

const char *
text_plural(size_t n)
{
	return n == 1 ? "" : "s";
}

size_t
text_terminal_columns(int fd, size_t unknown, size_t least, size_t most)
{
	struct winsize w;
	const char *columns = getenv("COLUMNS");
	size_t n = 0;
	if (ioctl(fd, TIOCGWINSZ, &w) == 0)
		n = w.ws_col;
	else if (columns)
		n = strtoul(columns, NULL, 10);
	n = n ? n : unknown;
	return n < least ? least : n > most ? most : n;
}
