/* lexer.c: whether each byte of a cell's code is code, a comment or part of a string.
 * Just enough of Python, R and Julia to insert a value safely; also code that does not parse
 * gets an answer.
 */
#include "lexer.h"
#include "base/die.h"

#include <ctype.h>
#include <strings.h>

struct lexer {
	enum language language;
	const char *text;
	size_t n, i;
	struct lexer_spot *spots;
	int depth;
};
enum { MAX_DEPTH = 50 };	/* of code within strings */

static const struct lexer_spot code = {.kind = IN_CODE};

static void lex_code(struct lexer *, char until, bool one_line);

/* A version may follow the name: "python3", "julia-1.10". */
enum language
lexer_language(const char *name)
{
	static const struct {
		const char *name;
		enum language language;
	} known[] = {
		{"python", LANG_PYTHON}, {"ipython", LANG_PYTHON}, {"xpython", LANG_PYTHON},
		{"sage", LANG_PYTHON}, {"sagemath", LANG_PYTHON}, {"pyspark", LANG_PYTHON},
		{"pysparkkernel", LANG_PYTHON}, {"r", LANG_R}, {"ir", LANG_R}, {"xr", LANG_R},
		{"sparkr", LANG_R}, {"sparkrkernel", LANG_R}, {"julia", LANG_JULIA},
	};
	size_t n = 0;
	while (isalpha((unsigned char)name[n]))
		n++;
	bool ends = !name[n] || strchr("-0123456789", name[n]);
	for (size_t i = 0; i < COUNT(known) && ends; i++)
		if (strlen(known[i].name) == n && strncasecmp(name, known[i].name, n) == 0)
			return known[i].language;
	return LANG_UNKNOWN;
}

static bool
is_name_char(enum language l, char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80 ||
	    (l == LANG_R && c == '.');
}

size_t
lexer_name_length(enum language l, const char *text, const struct lexer_spot *spots, size_t i,
    size_t n)
{
	unsigned char c = (unsigned char)text[i];
	if (spots[i].kind != IN_CODE || !is_name_char(l, text[i]) || isdigit(c))
		return 0;
	/* A name after a dot (R: $ or @) is a member. */
	if (i && spots[i - 1].kind == IN_CODE && (is_name_char(l, text[i - 1]) ||
	    strchr(l == LANG_R ? "$@" : ".", text[i - 1])))
		return 0;
	size_t end = i + 1;
	while (end < n && spots[end].kind == IN_CODE && is_name_char(l, text[end]))
		end++;
	return end - i;
}

static bool
is_at(const struct lexer *x, const char *s)
{
	size_t n = strlen(s);
	return x->n - x->i >= n && memcmp(x->text + x->i, s, n) == 0;
}

static void
pass_bytes(struct lexer *x, size_t n, struct lexer_spot s)
{
	for (; n && x->i < x->n; n--)
		x->spots[x->i++] = s;
}

static void
pass_comment(struct lexer *x)
{
	struct lexer_spot s = {.kind = IN_COMMENT};
	while (x->i < x->n && x->text[x->i] != '\n')
		pass_bytes(x, 1, s);
	x->spots[x->i] = s;	/* at the end of the text, too */
}

static void
pass_block_comment(struct lexer *x)
{
	struct lexer_spot s = {.kind = IN_BLOCK_COMMENT};
	int depth = 0;
	do {
		bool opens = is_at(x, "#="), closes = is_at(x, "=#");
		depth += opens - closes;
		pass_bytes(x, opens || closes ? 2 : 1, s);
	} while (depth > 0 && x->i < x->n);
}

/* How many letters precede a quote. */
static size_t
prefix_length(const struct lexer *x)
{
	size_t i = x->i;
	while (i && is_name_char(x->language, x->text[i - 1]) && x->spots[i - 1].kind == IN_CODE)
		i--;
	return x->i - i;
}

/* The kind of a string by its prefix, whose length becomes *n. */
static struct lexer_spot
string_spot(const struct lexer *x, size_t *n)
{
	bool python = x->language == LANG_PYTHON;
	struct lexer_spot s = {.kind = IN_STRING, .quote = x->text[x->i], .multiline = !python};
	*n = prefix_length(x);
	const char *p = x->text + x->i - *n;
	if (x->language == LANG_JULIA && *n)
		s.kind = IN_RAW_STRING;
	if (x->language == LANG_R && (*n != 1 || tolower((unsigned char)*p) != 'r'))
		*n = 0;
	if (python && (*n > 2 || strspn(p, "rRbBuUfFtT") < *n))
		*n = 0;
	for (size_t i = 0; python && i < *n; i++) {
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
pass_r_raw_string(struct lexer *x)
{
	static const char opens[] = "([{", closes[] = ")]}";
	size_t dashes = strspn(x->text + x->i + 1, "-"), i = x->i + 1 + dashes;
	const char *open = i < x->n ? memchr(opens, x->text[i], 3) : NULL;
	if (!open)
		return false;
	struct lexer_spot s = {.kind = IN_RAW_STRING, .quote = x->text[x->i], .multiline = true};
	char *end = xasprintf("%c%.*s%c", closes[open - opens], (int)dashes, x->text + x->i + 1,
	    s.quote);
	pass_bytes(x, i + 1 - x->i, s);
	while (x->i < x->n && !is_at(x, end))
		pass_bytes(x, 1, s);
	pass_bytes(x, strlen(end), s);
	free(end);
	return true;
}

/* Code within a string: {...} of an f-string, $(...) of Julia. */
static bool
pass_inner_code(struct lexer *x, struct lexer_spot s)
{
	bool python = x->language == LANG_PYTHON && s.format && is_at(x, "{");
	bool julia = x->language == LANG_JULIA && s.kind == IN_STRING && is_at(x, "$(");
	if (python && is_at(x, "{{")) {
		pass_bytes(x, 2, s);
		return true;
	}
	if ((!python && !julia) || x->depth == MAX_DEPTH)
		return false;
	pass_bytes(x, python ? 1 : 2, s);
	x->depth++;
	lex_code(x, python ? '}' : ')', python && !s.multiline);
	x->depth--;
	if (is_at(x, python ? "}" : ")"))
		pass_bytes(x, 1, s);
	return true;
}

static void
pass_string(struct lexer *x)
{
	size_t prefix;
	struct lexer_spot s = string_spot(x, &prefix);
	for (size_t k = 1; k <= prefix; k++)
		x->spots[x->i - k] = s;
	if (x->language == LANG_R && prefix && pass_r_raw_string(x))
		return;
	char end[] = {s.quote, s.quote, s.quote, '\0'};
	if (x->language != LANG_R && s.quote != '`' && is_at(x, end)) {
		s.multiline = true;
		s.triple = x->language == LANG_PYTHON;
	} else {
		end[1] = '\0';
	}
	pass_bytes(x, strlen(end), s);
	while (x->i < x->n && !is_at(x, end)) {
		if (x->text[x->i] == '\\')
			pass_bytes(x, 2, s);
		else if (!s.multiline && is_at(x, "\n"))
			return;	/* never closed */
		else if (!pass_inner_code(x, s))
			pass_bytes(x, 1, s);
	}
	pass_bytes(x, strlen(end), s);
}

/* A quote after a value transposes it in Julia. */
static bool
is_transpose(const struct lexer *x)
{
	if (x->language != LANG_JULIA || !is_at(x, "'") || !x->i)
		return false;
	char before = x->text[x->i - 1];
	return is_name_char(LANG_JULIA, before) || strchr(")]}'.", before);
}

static void
pass_backticks(struct lexer *x)
{
	do
		pass_bytes(x, 1, code);
	while (x->i < x->n && !is_at(x, "`"));
	pass_bytes(x, 1, code);
}

static void
lex_code(struct lexer *x, char until, bool one_line)
{
	int open = 0;
	while (x->i < x->n) {
		char c = x->text[x->i];
		if ((until && c == until && open-- == 0) || (one_line && c == '\n'))
			return;
		if (until && strchr("([{", c) && (c == '{') == (until == '}'))
			open++;
		if (x->language == LANG_JULIA && is_at(x, "#="))
			pass_block_comment(x);
		else if (c == '#' && until != '}')
			pass_comment(x);
		else if (c == '`' && x->language == LANG_R)
			pass_backticks(x);
		else if ((c == '"' || c == '\'' || (c == '`' && x->language == LANG_JULIA)) &&
		    !is_transpose(x))
			pass_string(x);
		else
			pass_bytes(x, 1, code);
	}
}

struct lexer_spot *
lexer_run(enum language language, const char *text, size_t n)
{
	struct lexer_spot *spots = xmalloc((n + 1) * sizeof *spots);
	struct lexer x = {language, text, n, 0, spots, 0};
	spots[n] = code;
	while (x.i < n)
		lex_code(&x, '\0', false);
	return spots;
}
