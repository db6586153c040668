/* scan.c: splits a record into its members without building a tree.
 *
 * Strict: jansson accepts whatever is accepted here.  What looks wrong, and what is
 * valid but rare (escaped keys, surrogates, huge numbers), is given to jansson, whose
 * result and message are used.
 */
#include "json/scan.h"
#include "base/die.h"
#include "json/json_parse.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As jansson's JSON_PARSER_MAX_DEPTH; above MANY_KEYS its hash table finds duplicates
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

/* From after the opening quote to after the closing one. */
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
read_number(struct reader *r)
{
	if (*r->p == '-')
		r->p++;
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
read_word(struct reader *r, const char *word, size_t n)
{
	if (strncmp((const char *)r->p, word, n) != 0)
		return false;
	r->p += n;
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
		r->rare = true;
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
	default: good = read_number(r);
	}
	r->depth--;
	return good;
}

/* Whether the line is an object; `sure`: a record, and jansson need not be asked. */
static bool
split_line(struct scan *s, const char *line, size_t len, bool *sure)
{
	struct reader r = {.p = (const unsigned char *)line, .out = s, .depth = 1};
	s->n = s->next = 0;
	skip_space(&r);
	bool good = *r.p == '{' && read_object(&r);
	/* On an error r.p may point after the NUL that ends the line. */
	if (good)
		skip_space(&r);
	good = good && r.p == (const unsigned char *)line + len;
	struct span type = good ? scan_get(s, "type") : (struct span){0};
	*sure = good && !r.rare && type.p && *type.p == '"';
	return good;
}

bool
scan_record(struct scan *s, const char *line, size_t len)
{
	bool sure, good = split_line(s, line, len, &sure);
	json_error_t e;
	json_t *record = good && !sure ? json_parse_strict(line, len, &e) : NULL;
	bool typed = json_is_string(json_object_get(record, "type"));
	json_decref(record);
	return sure || typed;
}

void
xscan_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	bool sure, good = split_line(s, line, len, &sure);
	if (sure)
		return;
	json_decref(xlines_parse(in, line, len));
	if (!good)
		die(ST_INPUT, "%s:%lu:1: cannot parse", in->name, in->number);
}

static void
xscan_file(const char *path, struct scan *s, scan_handler *handle)
{
	bool from_stdin = strcmp(path, "-") == 0;
	struct lines in = {.fd = from_stdin ? 0 : open(path, O_RDONLY | O_CLOEXEC),
	    .name = from_stdin ? "stdin" : path};
	if (in.fd < 0)
		die(ST_SYSTEM, "cannot open '%s':", path);
	size_t len;
	for (char *line; (line = xlines_next(&in, &len)); ) {
		xscan_record(s, &in, line, len);
		handle(s, &in, line, len);
	}
	if (!from_stdin)
		close(in.fd);
	buf_free(&in.buf);
}

void
xscan_files(char **list, scan_handler *handle)
{
	struct scan s = {0};
	if (!*list)
		xscan_file("-", &s, handle);
	for (; *list; list++)
		xscan_file(*list, &s, handle);
	free(s.m);
}

void
scan_members(struct scan *s, struct span object)
{
	struct reader r = {.p = (const unsigned char *)object.p, .out = s, .depth = 1};
	s->n = s->next = 0;
	if (object.p && *object.p == '{')
		read_object(&r);
}

struct span
scan_get(struct scan *s, const char *key)
{
	size_t n = strlen(key);
	for (size_t tried = 0; tried < s->n; tried++) {
		if (s->next >= s->n)
			s->next = 0;
		const struct member *m = &s->m[s->next++];
		if (m->key.n == n && memcmp(m->key.p, key, n) == 0)
			return m->value;
	}
	return (struct span){0};
}

bool
scan_type_is(struct scan *s, const char *type)
{
	s->next = 0;
	return span_is_word(scan_get(s, "type"), type);
}

bool
span_is_word(struct span v, const char *word)
{
	size_t n = strlen(word);
	return v.p && v.n == n + 2 && *v.p == '"' && memcmp(v.p + 1, word, n) == 0;
}

bool
span_is(struct span v, const char *text)
{
	size_t n = strlen(text);
	return v.p && v.n == n && memcmp(v.p, text, n) == 0;
}

bool
span_null(struct span v)
{
	return !v.p || span_is(v, "null");
}

/* Up to 15 digits and a point, as nearly all numbers have: both parts are exact, so their
 * quotient is correctly rounded.  NaN for all others. */
static double
short_number(struct span v)
{
	static const double tens[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	    1e12, 1e13, 1e14, 1e15};
	bool negative = *v.p == '-', point = false;
	size_t places = 0;
	uint64_t digits = 0;
	if (v.n > 16)
		return NAN;
	for (size_t i = negative; i < v.n; i++) {
		unsigned char c = (unsigned char)v.p[i];
		if (c >= '0' && c <= '9') {
			digits = digits * 10 + (uint64_t)(c - '0');
			places += point;
		} else if (c == '.') {
			point = true;
		} else {
			return NAN;
		}
	}
	double x = (double)digits / tens[places];
	return digits > 999999999999999 ? (double)NAN : negative ? -x : x;
}

double
span_number(struct span v)
{
	if (!v.p || !(*v.p == '-' || (*v.p >= '0' && *v.p <= '9')))
		return NAN;
	double x = short_number(v);
	return isnan(x) ? strtod(v.p, NULL) : x;
}

json_t *
span_json(struct span v)
{
	return v.p ? json_loadb(v.p, v.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL) : NULL;
}

bool
span_lists(struct span list, const char *word)
{
	json_t *words = span_json(list), *one;
	bool found = false;
	size_t i;
	json_array_foreach(words, i, one)
		found = found || (json_is_string(one) && strcmp(json_string_value(one), word) == 0);
	json_decref(words);
	return found;
}

char *
span_string(struct span v)
{
	if (!v.p || *v.p != '"')
		return NULL;
	if (!memchr(v.p, '\\', v.n)) {
		char *text = xmalloc(v.n - 1);
		memcpy(text, v.p + 1, v.n - 2);
		text[v.n - 2] = '\0';
		return text;
	}
	json_t *j = span_json(v);
	if (!j)
		die(ST_SYSTEM, "out of memory");
	char *text = json_parse_string(j);
	json_decref(j);
	return text;
}

char *
scan_string(struct scan *s, const char *key)
{
	return span_string(scan_get(s, key));
}
