/* scan_reader.c: finds the members of an object, as JSON has them.
 *
 * Strict: jansson accepts whatever is accepted here.  What looks wrong, and what is valid but
 * rare (escaped keys, surrogates, huge numbers), is for jansson to decide.
 */
#include "json/scan_reader.h"
#include "base/die.h"

/* MAX_DEPTH is jansson's JSON_PARSER_MAX_DEPTH; above MANY_KEYS its hash table finds duplicates
 * faster than a linear search. */
enum { MAX_DEPTH = 2048, MANY_KEYS = 256, SURE_DIGITS = 18 };
/* Few of the 150 keys of a metrics record share a bit with an earlier one. */
enum { SEEN_BITS = 4096, SEEN_WORDS = SEEN_BITS / 64 };

struct reader {
	const unsigned char *p;	/* ends in a NUL, which nothing accepts */
	struct scan *out;
	int depth;
	bool rare;
};

static bool read_value(struct reader *);

static void
skip_space(struct reader *r)
{
	while (*r->p == ' ' || *r->p == '\t' || *r->p == '\r' || *r->p == '\n')
		r->p++;
}

/* The number of bytes of the UTF-8 character at p; 0 if it is invalid. */
static size_t
utf8_length(const unsigned char *p)
{
	unsigned c = p[0];
	size_t n = c >= 0xc2 && c <= 0xdf ? 2 : (c & 0xf0) == 0xe0 ? 3 :
	    c >= 0xf0 && c <= 0xf4 ? 4 : 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((c == 0xe0 && p[1] < 0xa0) || (c == 0xed && p[1] > 0x9f) ||
	    (c == 0xf0 && p[1] < 0x90) || (c == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

static bool
read_escape(struct reader *r)
{
	unsigned code = 0;
	if (r->p[1] && strchr("\"\\/bfnrt", r->p[1])) {
		r->p += 2;
		return true;
	}
	if (r->p[1] != 'u')
		return false;
	for (int i = 2; i < 6; i++) {
		unsigned c = r->p[i], low = c | 0x20;
		if (!(c >= '0' && c <= '9') && !(low >= 'a' && low <= 'f'))
			return false;
		code = code << 4 | (c <= '9' ? c - '0' : low - 'a' + 10);
	}
	if (code == 0 || (code >= 0xd800 && code <= 0xdfff))
		r->rare = true;
	r->p += 6;
	return true;
}

/* Characters that a string contains unescaped: most of every line, so this is fast. */
#define ALL 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
static const bool plain[256] = {
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,	/* all but '"' */
	ALL, ALL,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1,	/* all but '\' */
	ALL, ALL,
};
#undef ALL

/* Reads from after the opening quote to after the closing one. */
static bool
read_string(struct reader *r)
{
	for (;;) {
		while (plain[*r->p])
			r->p++;
		unsigned c = *r->p;
		if (c == '"') {
			r->p++;
			return true;
		} else if (c == '\\') {
			if (!read_escape(r))
				return false;
		} else {
			size_t n = c >= 0x80 ? utf8_length(r->p) : 0;
			if (n == 0)
				return false;
			r->p += n;
		}
	}
}

static size_t
read_digits(struct reader *r)
{
	const unsigned char *start = r->p;
	while (*r->p >= '0' && *r->p <= '9')
		r->p++;
	return (size_t)(r->p - start);
}

static bool
read_word(struct reader *r, const char *word, size_t n)
{
	if (strncmp((const char *)r->p, word, n) != 0)
		return false;
	r->p += n;
	return true;
}

static bool
read_number(struct reader *r)
{
	if (*r->p == '-')
		r->p++;
	if (*r->p == 'I')
		return r->out->lenient && read_word(r, "Infinity", 8);
	bool zero = *r->p == '0';
	size_t whole = read_digits(r);
	if (whole == 0 || (zero && whole > 1))
		return false;
	if (whole > SURE_DIGITS)
		r->rare = true;
	if (*r->p == '.') {
		r->p++;
		if (read_digits(r) == 0)
			return false;
	}
	if (*r->p == 'e' || *r->p == 'E') {
		r->p++;
		if (*r->p == '+' || *r->p == '-')
			r->p++;
		size_t digits = read_digits(r);
		if (digits == 0)
			return false;
		if (digits > 2)
			r->rare = true;
	}
	return true;
}

static bool
read_array(struct reader *r)
{
	r->p++;
	skip_space(r);
	if (*r->p == ']') {
		r->p++;
		return true;
	}
	for (;;) {
		if (!read_value(r))
			return false;
		skip_space(r);
		if (*r->p == ']') {
			r->p++;
			return true;
		}
		if (*r->p++ != ',')
			return false;
	}
}

static struct member *
add_member(struct scan *s)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 64;
		s->m = xrealloc(s->m, s->cap * sizeof *s->m);
	}
	return &s->m[s->n++];
}

/* Eight bytes at a time, the last ones again if need be: keys are half of a record. */
static unsigned
key_hash(struct reader *r, const char *key, size_t n)
{
	uint64_t hash = n, word = 0;
	if (memchr(key, '\\', n))
		r->rare = r->out->escaped = true;
	if (n < sizeof word)
		for (size_t i = 0; i < n; i++)
			word = word << 8 | (unsigned char)key[i];
	for (size_t i = 0; i + sizeof word < n; i += sizeof word) {
		memcpy(&word, key + i, sizeof word);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	if (n >= sizeof word)
		memcpy(&word, key + n - sizeof word, sizeof word);
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return (unsigned)(hash >> 40) % SEEN_BITS;
}

/* Stores the key at r->p; `seen` has a bit for the hash of every earlier key. */
static bool
read_key(struct reader *r, size_t first, uint64_t seen[SEEN_WORDS])
{
	const char *key = (const char *)++r->p;
	if (!read_string(r))
		return false;
	size_t n = (size_t)((const char *)r->p - 1 - key);
	unsigned hash = key_hash(r, key, n);
	uint64_t bit = (uint64_t)1 << hash % 64, *word = &seen[hash / 64];
	struct scan *s = r->out;
	if (s->n - first > MANY_KEYS)
		r->rare = true;
	else if (*word & bit)
		for (size_t i = first; i < s->n; i++)
			if (s->m[i].key.n == n && memcmp(s->m[i].key.p, key, n) == 0)
				return false;
	*word |= bit;
	add_member(s)->key = (struct span){key, n};
	return true;
}

/* Members of the outermost object stay in r->out, those of an inner one until it ends. */
static bool
read_object(struct reader *r)
{
	size_t first = r->out->n;
	uint64_t seen[SEEN_WORDS] = {0};
	r->p++;
	skip_space(r);
	bool more = *r->p != '}';
	while (more) {
		size_t at = r->out->n;
		skip_space(r);
		if (*r->p != '"' || !read_key(r, first, seen))
			return false;
		skip_space(r);
		if (*r->p++ != ':')
			return false;
		skip_space(r);
		const char *value = (const char *)r->p;
		if (!read_value(r))
			return false;
		r->out->m[at].value = (struct span){value, (size_t)((const char *)r->p - value)};
		skip_space(r);
		more = *r->p == ',';
		if (more)
			r->p++;
		else if (*r->p != '}')
			return false;
	}
	r->p++;
	if (first)
		r->out->n = first;
	return true;
}

static bool
read_value(struct reader *r)
{
	if (++r->depth > MAX_DEPTH)
		return false;
	bool good;
	skip_space(r);
	switch (*r->p) {
	case '{': good = read_object(r); break;
	case '[': good = read_array(r); break;
	case '"': r->p++; good = read_string(r); break;
	case 't': good = read_word(r, "true", 4); break;
	case 'f': good = read_word(r, "false", 5); break;
	case 'n': good = read_word(r, "null", 4); break;
	case 'N': good = r->out->lenient && read_word(r, "NaN", 3); break;
	default: good = read_number(r);
	}
	r->depth--;
	return good;
}

const char *
scan_reader_object(struct scan *s, const char *p, bool *rare)
{
	struct reader r = {.p = (const unsigned char *)p, .out = s, .depth = 1};
	s->n = s->next = 0;
	s->escaped = false;
	skip_space(&r);
	/* If reading fails, r.p may point after the NUL that ends the line. */
	if (*r.p != '{' || !read_object(&r))
		return NULL;
	skip_space(&r);
	*rare = r.rare;
	return (const char *)r.p;
}
