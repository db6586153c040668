/* placeholder.c: placeholders {name_value} in code, and the values in their places. */
#include "placeholder.h"
#include "literal.h"
#include "base/die.h"
#include "base/str.h"

/* ---- finding ---- */

/* Whether the brace is the second of a pair in an f-string, which means a brace. */
static bool
is_doubled(const char *text, const struct lexer_spot *spots, size_t i)
{
	size_t n = 0;
	while (n <= i && text[i - n] == '{' && spots[i - n].format && spots[i - n].kind != IN_CODE)
		n++;
	return n % 2 == 0 && n;
}

/* The length of "{name_value}" at text[i], or 0. */
static size_t
placeholder_length(const char *text, const struct lexer_spot *spots, size_t i)
{
	static const char end[] = "_value}";
	if (text[i] != '{' || is_doubled(text, spots, i))
		return 0;
	size_t n = str_identifier(text + i + 1), tail = strlen(end) - 1;
	return n > tail && strncmp(text + i + 1 + n - tail, end, tail + 1) == 0 ? n + 2 : 0;
}

/* Whether the line is a shell command or a magic of IPython, as in "!ls -d {depth_value}", where
 * parentheses would be the shell's.  "% 2" and "!= 2" continue a line of code. */
static bool
is_command(enum language language, const char *text, size_t i)
{
	if (language != LANG_PYTHON)
		return false;
	while (i && text[i - 1] != '\n')
		i--;
	const char *line = text + i + strspn(text + i, " \t");
	return *line == '!' ? line[1] != '=' :
	    *line == '%' && (line[1] == '%' || str_identifier(line + 1) > 0);
}

/* Whether the line is a command for the shell: "!ls {x_value}" or "files = !ls {x_value}". */
static bool
is_shell_command(const char *text, const struct lexer_spot *spots, size_t i)
{
	while (i && text[i - 1] != '\n')
		i--;
	const char *p = text + i + strspn(text + i, " \t");
	size_t name = str_identifier(p), gap = name ? strspn(p + name, " \t") : 0;
	if (name && p[name + gap] == '=') {
		p += name + gap + 1;
		p += strspn(p, " \t");
	}
	return *p == '!' && p[1] != '=' && spots[p - text].kind == IN_CODE;
}

/* Notes whether operators are next to it: -1 ** 2 is not the square of -1. */
static void
find_neighbours(struct placeholder *p, const char *text)
{
	size_t before = p->start;
	while (before && strchr(" \t", text[before - 1]))
		before--;
	const char *after = text + p->end + strspn(text + p->end, " \t");
	bool arrow = before > 1 && text[before - 1] == '-' && text[before - 2] == '<';
	bool left = !before || arrow || strchr("=([{,:;\n", text[before - 1]);
	bool right = !*after || strchr(")]},:;#\r\n", *after);
	p->wrap_negative = !left || !right;
	p->wrap_all = text[p->end] == '.';
}

/* Whether a backslash precedes the brace, which Python reads as a backslash: 'C:\{x_value}'. */
static bool
follows_backslash(const char *text, const struct lexer_spot *spot, size_t i)
{
	size_t n = 0;
	while (n < i && text[i - n - 1] == '\\')
		n++;
	return n % 2 == 1 && (spot->kind == IN_STRING || spot->kind == IN_RAW_STRING);
}

static struct placeholder
make_placeholder(enum language language, const char *text, const struct lexer_spot *spots,
    size_t start, size_t length)
{
	struct placeholder p = {.start = start, .end = start + length, .spot = spots[start]};
	p.param = xasprintf("%.*s", (int)(length - strlen("{_value}")), text + start + 1);
	p.backslash = follows_backslash(text, &p.spot, start);
	p.last = text[p.end] == p.spot.quote;
	p.shell = language == LANG_PYTHON && is_shell_command(text, spots, start);
	if (!p.shell && !is_command(language, text, start))
		find_neighbours(&p, text);
	return p;
}

void
placeholders_find(struct placeholders *p, enum language language, const char *text)
{
	size_t n = strlen(text), length;
	struct lexer_spot *spots = lexer_run(language, text, n);
	*p = (struct placeholders){.names = json_object()};
	for (size_t i = 0; i < n; i += length ? length : 1) {
		if ((length = placeholder_length(text, spots, i))) {
			p->list = xrealloc(p->list, (p->n + 1) * sizeof *p->list);
			p->list[p->n++] = make_placeholder(language, text, spots, i, length);
		} else if ((length = lexer_name_length(language, text, spots, i, n))) {
			json_object_setn_new(p->names, text + i, length, json_null());
		}
	}
	for (size_t i = 0; i < p->n; i++) {
		size_t name = p->list[i].start + strlen("{"), end = p->list[i].end - strlen("}");
		p->list[i].variable = json_object_getn(p->names, text + name, end - name) != NULL;
	}
	free(spots);
}

bool
placeholder_is_comment(const struct placeholder *p)
{
	return p->spot.kind == IN_COMMENT || p->spot.kind == IN_BLOCK_COMMENT;
}

/* ---- filling ---- */

static const char *
add_to_string(struct buf *b, enum language l, const struct placeholder *p, json_t *v)
{
	/* Otherwise the backslash would make an escape of the value's first letter. */
	buf_add(b, "\\", p->backslash && p->spot.kind == IN_STRING);
	size_t n = b->n;
	const char *fault = literal_add_text(b, l, &p->spot, v);
	if (!fault && p->backslash && p->last && p->spot.kind == IN_RAW_STRING && b->n == n)
		return "a raw string cannot end in a backslash";
	return fault;
}

/* A word of the shell: quoted, or refused where IPython or quotes around it would change it. */
static const char *
add_to_shell(struct buf *b, const struct placeholder *p, json_t *v)
{
	const char *text = json_string_value(v);
	if (!text)
		return json_is_array(v) || json_is_object(v) ?
		    "a shell command cannot have a list or an object as a word" :
		    literal_add(b, LANG_PYTHON, v);
	if (strpbrk(text, "{}$\r\n"))
		return "IPython changes $, { and } in a shell command, which ends at a newline";
	if (p->spot.kind != IN_CODE) {
		if (strpbrk(text, "\"'`\\!"))
			return "a quote, a backslash or ! cannot be within quotes of a shell "
			    "command";
		buf_addf(b, "%s", text);
		return NULL;
	}
	buf_addf(b, "'");
	for (; *text; text++)
		buf_addf(b, *text == '\'' ? "'\\''" : "%c", *text);
	buf_addf(b, "'");
	return NULL;
}

const char *
placeholder_add_value(struct buf *b, enum language l, const struct placeholder *p, json_t *v)
{
	if (p->shell && !placeholder_is_comment(p))
		return add_to_shell(b, p, v);
	if (p->spot.kind != IN_CODE)
		return add_to_string(b, l, p, v);
	bool negative = signbit(json_number_value(v));
	bool wrap = json_is_number(v) && (p->wrap_all || (p->wrap_negative && negative));
	buf_add(b, "(", wrap);
	const char *fault = literal_add(b, l, v);
	buf_add(b, ")", wrap);
	return fault;
}
