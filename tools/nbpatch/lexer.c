/* lexer.c: what each byte of a cell's code stands in: code, a comment, a string.
 * Just enough of Python, R and Julia to put a value there safely; code that
 * does not parse still gets an answer.
 */
#include "generate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct lexer {
	enum language language;
	const char *text;
	size_t n, i;
	struct spot *spots;
	int depth;
};
enum { LEXER_DEPTH = 50 };	/* of code within strings */

static const struct spot code = {.kind = IN_CODE};

static void lex_code(struct lexer *, char until, bool one_line);

enum language
find_language(const char *name)
{
	return strcasecmp(name, "python") == 0 ? LANG_PYTHON : strcasecmp(name, "r") == 0 ? LANG_R :
	    strcasecmp(name, "julia") == 0 ? LANG_JULIA : LANG_UNKNOWN;
}

static bool
is_name_char(enum language l, char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80 || (l == LANG_R && c == '.');
}

size_t
name_at(enum language l, const char *text, const struct spot *spots, size_t i, size_t n)
{
	if (spots[i].kind != IN_CODE || !is_name_char(l, text[i]) || isdigit((unsigned char)text[i]))
		return 0;
	/* What follows a dot (R: $ or @) is a part of something. */
	if (i && (is_name_char(l, text[i - 1]) || strchr(l == LANG_R ? "$@" : ".", text[i - 1])) &&
	    spots[i - 1].kind == IN_CODE)
		return 0;
	size_t end = i + 1;
	while (end < n && spots[end].kind == IN_CODE && is_name_char(l, text[end]))
		end++;
	return end - i;
}

static bool
at(const struct lexer *x, const char *s)
{
	size_t n = strlen(s);
	return x->n - x->i >= n && memcmp(x->text + x->i, s, n) == 0;
}

/* Passes n bytes, which stand in `s`. */
static void
pass(struct lexer *x, size_t n, struct spot s)
{
	for (; n && x->i < x->n; n--)
		x->spots[x->i++] = s;
}

static void
pass_comment(struct lexer *x)
{
	struct spot s = {.kind = IN_COMMENT};
	while (x->i < x->n && x->text[x->i] != '\n')
		pass(x, 1, s);
	x->spots[x->i] = s;	/* at the end: what is added there is comment still */
}

static void
pass_block_comment(struct lexer *x)
{
	struct spot s = {.kind = IN_BLOCK_COMMENT};
	int depth = 0;
	do {
		depth += at(x, "#=") - at(x, "=#");
		pass(x, at(x, "#=") || at(x, "=#") ? 2 : 1, s);
	} while (depth > 0 && x->i < x->n);
}

/* How many letters stand at once before a quote. */
static size_t
prefix(const struct lexer *x)
{
	size_t i = x->i;
	while (i && is_name_char(x->language, x->text[i - 1]) && x->spots[i - 1].kind == IN_CODE)
		i--;
	return x->i - i;
}

/* What a string is, by its prefix; *n becomes the prefix's length. */
static struct spot
string_spot(const struct lexer *x, size_t *n)
{
	struct spot s = {.kind = IN_STRING, .quote = x->text[x->i], .triple = x->language != LANG_PYTHON};
	const char *p = x->text + x->i - prefix(x);
	*n = prefix(x);
	if (x->language == LANG_JULIA && *n)
		s.kind = IN_RAW_STRING;
	if (x->language == LANG_R && (*n != 1 || tolower((unsigned char)*p) != 'r'))
		*n = 0;
	if (x->language != LANG_PYTHON)
		return s;
	if (*n > 2 || strspn(p, "rRbBuUfFtT") < *n)
		*n = 0;
	for (size_t i = 0; i < *n; i++) {
		int c = tolower((unsigned char)p[i]);
		s.format |= c == 'f' || c == 't';
		s.bytes |= c == 'b';
		if (c == 'r')
			s.kind = IN_RAW_STRING;
	}
	return s;
}

/* R's r"---(...)---". */
static bool
pass_r_raw(struct lexer *x)
{
	static const char opens[] = "([{", closes[] = ")]}";
	size_t i = x->i + 1, dashes = 0;
	for (; i < x->n && x->text[i] == '-'; i++)
		dashes++;
	const char *open = i < x->n ? memchr(opens, x->text[i], 3) : NULL;
	if (!open)
		return false;
	struct spot s = {.kind = IN_RAW_STRING, .quote = x->text[x->i], .triple = true};
	for (pass(x, i + 1 - x->i, s); x->i < x->n;) {
		size_t k = 1;
		bool ends = x->text[x->i] == closes[open - opens];
		while (ends && k <= dashes && x->i + k < x->n && x->text[x->i + k] == '-')
			k++;
		ends = ends && k == dashes + 1 && x->i + k < x->n && x->text[x->i + k] == s.quote;
		pass(x, ends ? k + 1 : 1, s);
		if (ends)
			break;
	}
	return true;
}

/* Code within a string: {...} of an f-string, $(...) of Julia. */
static bool
pass_inner_code(struct lexer *x, struct spot s)
{
	bool python = x->language == LANG_PYTHON && s.format && at(x, "{");
	bool julia = x->language == LANG_JULIA && s.kind == IN_STRING && at(x, "$(");
	if (python && at(x, "{{")) {
		pass(x, 2, s);
		return true;
	}
	if ((!python && !julia) || x->depth == LEXER_DEPTH)
		return false;
	pass(x, python ? 1 : 2, s);
	x->depth++;
	lex_code(x, python ? '}' : ')', python && !s.triple);
	x->depth--;
	if (at(x, python ? "}" : ")"))
		pass(x, 1, s);
	return true;
}

static void
pass_string(struct lexer *x)
{
	size_t prefixed;
	struct spot s = string_spot(x, &prefixed);
	for (size_t k = 1; k <= prefixed; k++)
		x->spots[x->i - k] = s;
	if (x->language == LANG_R && prefixed && pass_r_raw(x))
		return;
	char end[4] = {s.quote, s.quote, s.quote, '\0'};
	bool three = x->language != LANG_R && s.quote != '`' && at(x, end);
	s.triple |= three;
	end[three ? 3 : 1] = '\0';
	pass(x, strlen(end), s);
	while (x->i < x->n && !at(x, end)) {
		if (x->text[x->i] == '\\')
			pass(x, 2, s);
		else if (!s.triple && at(x, "\n"))
			return;	/* never closed */
		else if (!pass_inner_code(x, s))
			pass(x, 1, s);
	}
	pass(x, strlen(end), s);
}

/* In Julia a quote after a value transposes it. */
static bool
transposes(const struct lexer *x)
{
	if (x->language != LANG_JULIA || !at(x, "'") || !x->i)
		return false;
	char before = x->text[x->i - 1];
	return is_name_char(LANG_JULIA, before) || strchr(")]}'.", before);
}

static void
pass_backticks(struct lexer *x)
{
	do
		pass(x, 1, code);
	while (x->i < x->n && !at(x, "`"));
	pass(x, 1, code);
}

static void
lex_code(struct lexer *x, char until, bool one_line)
{
	int open = 0;
	while (x->i < x->n) {
		char c = x->text[x->i];
		if (until && c == until && open-- == 0)
			return;
		if (one_line && c == '\n')
			return;
		if (until && strchr("([{", c) && (c == '{') == (until == '}'))
			open++;
		if (x->language == LANG_JULIA && at(x, "#="))
			pass_block_comment(x);
		else if (c == '#' && until != '}')
			pass_comment(x);
		else if (c == '`' && x->language == LANG_R)
			pass_backticks(x);
		else if ((c == '"' || c == '\'' || (c == '`' && x->language == LANG_JULIA)) && !transposes(x))
			pass_string(x);
		else
			pass(x, 1, code);
	}
}

struct spot *
lex(enum language language, const char *text, size_t n)
{
	struct spot *spots = xmalloc((n + 1) * sizeof *spots);
	struct lexer x = {language, text, n, 0, spots, 0};
	spots[n] = code;
	while (x.i < n)
		lex_code(&x, '\0', false);
	return spots;
}
