/* codenames.c: the names that code uses before it has given them a value itself.
 * No grammar: a name's neighbours and the parentheses around it tell enough. */
#include "generate.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };
enum role { USES, BINDS, BINDS_LATER, NAMES_ARGUMENT };

struct code {
	enum language language;
	const char *text;
	const struct spot *spots;
	size_t n;
	int depth;
	bool parameters[DEEPEST];	/* is that parenthesis a function's list of them? */
};

static bool
is_blank_at(const struct code *c, size_t i)
{
	return strchr(c->depth ? " \t\r\n" : " \t", c->text[i]) || c->spots[i].kind == IN_COMMENT;
}

/* The place of the character before i that is no blank; SIZE_MAX: there is none. */
static size_t
before(const struct code *c, size_t i)
{
	while (i-- > 0)
		if (!is_blank_at(c, i))
			return i;
	return SIZE_MAX;
}

static size_t
after(const struct code *c, size_t i)
{
	while (i < c->n && is_blank_at(c, i))
		i++;
	return i;
}

/* Where the word that ends before i begins; i: no word ends there. */
static size_t
word_before(const struct code *c, size_t i)
{
	size_t end = before(c, i), begin = end + 1;
	if (end == SIZE_MAX)
		return i;
	while (begin > 0 && (is_identifier(c->text + begin - 1, 1) || (c->text[begin - 1] >= '0' && c->text[begin - 1] <= '9')))
		begin--;
	return begin <= end && c->spots[begin].kind == IN_CODE ? begin : i;
}

static bool
is_word(const struct code *c, size_t begin, const char *word)
{
	size_t n = strlen(word);
	return strncmp(c->text + begin, word, n) == 0 && !is_identifier(c->text + begin + n, 1);
}

static bool
is_equals(const struct code *c, size_t i)
{
	return c->text[i] == '=' && c->text[i + 1] != '=';
}

static bool
is_assignment(const struct code *c, size_t i)
{
	return is_equals(c, i) || (c->language == LANG_R && c->text[i] == '<' && c->text[i + 1] == '-');
}

/* a, b = ...: from behind the first name on. */
static bool
is_target(const struct code *c, size_t i)
{
	for (i = after(c, i); c->text[i] == ','; i = after(c, i)) {
		i = after(c, i + 1);
		size_t length = name_at(c->language, c->text, c->spots, i, c->n);
		if (!length)
			return false;
		i += length;
	}
	return is_assignment(c, i);
}

/* Does the parenthesis at i begin a list of parameters: def f(, function(? */
static bool
begins_parameters(const struct code *c, size_t i)
{
	size_t name = word_before(c, i);
	if (name == i)
		return false;
	size_t word = word_before(c, name);
	return is_word(c, name, "function") || (word != name && (is_word(c, word, "def") || is_word(c, word, "function")));
}

/* [a for a in b]: does what stands in parentheses give it a value further on? */
static bool
is_comprehended(const struct code *c, size_t i, size_t length)
{
	int deeper = 0;
	for (size_t k = i + length, n; k < c->n && deeper >= 0; k += n ? n : 1) {
		n = name_at(c->language, c->text, c->spots, k, c->n);
		if (n == length && memcmp(c->text + i, c->text + k, n) == 0 && is_word(c, word_before(c, k), "for"))
			return true;
		if (!n && c->spots[k].kind == IN_CODE)
			deeper += strchr("([{", c->text[k]) ? 1 : strchr(")]}", c->text[k]) ? -1 : 0;
	}
	return false;
}

static enum role
role_of(const struct code *c, size_t i, size_t length)
{
	static const char *const binders[] = {"for", "as", "def", "class", "import", "lambda", "function"};
	size_t next = after(c, i + length), last = before(c, i), word = word_before(c, i);
	if (c->depth && c->parameters[c->depth] && last != SIZE_MAX && strchr("(,*", c->text[last]))
		return BINDS;
	if (c->depth && is_equals(c, next))
		return NAMES_ARGUMENT;
	if (c->depth && is_comprehended(c, i, length))
		return BINDS;
	for (size_t k = 0; word != i && k < COUNT(binders); k++)
		if (is_word(c, word, binders[k]))
			return BINDS;
	return !c->depth && is_target(c, i + length) ? BINDS_LATER : USES;
}

/* Parentheses open and close; a statement's own names have their values at its end. */
static void
pass_mark(struct code *c, size_t i, json_t *bound, json_t *later)
{
	char mark = c->text[i];
	if (c->spots[i].kind != IN_CODE)
		return;
	if (strchr("([{", mark) && c->depth + 1 < DEEPEST) {
		bool parameters = mark == '(' && begins_parameters(c, i);
		c->parameters[++c->depth] = parameters;
	} else if (strchr(")]}", mark) && c->depth) {
		c->depth--;
	} else if (strchr("\n;", mark) && !c->depth) {
		json_object_update(bound, later);
		json_object_clear(later);
	}
}

void
unbound_names(enum language language, const char *text, size_t n, json_t *bound, json_t *used, json_int_t where)
{
	struct spot *spots = lex(language, text, n);
	struct code code = {.language = language, .text = text, .spots = spots, .n = n};
	json_t *later = json_object();
	for (size_t i = 0, length; i < n; i += length ? length : 1) {
		length = name_at(language, text, spots, i, n);
		if (!length) {
			pass_mark(&code, i, bound, later);
			continue;
		}
		if (json_object_getn(bound, text + i, length) || json_object_getn(used, text + i, length))
			continue;
		enum role role = role_of(&code, i, length);
		if (role == BINDS || role == BINDS_LATER)
			json_object_setn_new(role == BINDS ? bound : later, text + i, length, json_null());
		else if (role == USES)
			json_object_setn_new(used, text + i, length, json_integer(where));
	}
	json_object_update(bound, later);
	json_decref(later);
	free(spots);
}
