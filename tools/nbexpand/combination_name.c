/* name.c: a combination's name: <usecase>-<param><value>-<param><value>...
 * It depends on the combination alone, so it stays when other values come and
 * go.  It is plain where it can be read back in one way only; else it is made
 * safe and ends in "--" and a hash of what it names.  No plain name has a "--".
 */
#include "generate.h"

#include <ctype.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

enum {
	HASH_DIGITS = 24,	/* 96 bits */
	VALUE_BYTES = 48,	/* of a value that is not plain, in a name */
};

static bool
is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* What every other byte becomes; a run of them becomes one '_'. */
static void
add_safe(struct buf *b, const char *s, size_t n, size_t most)
{
	size_t end = b->n + most;
	for (size_t i = 0; i < n && b->n < end; i++) {
		char c = s[i];
		char last = b->n ? b->p[b->n - 1] : '\0';
		if (!is_alnum(c) && !strchr("._-", c))
			c = '_';
		if ((c == '_' || c == '-') && c == last)
			continue;
		buf_add(b, &c, 1);
	}
}

/* A string that cannot be taken for a number, a truth value or the next
 * parameter: a '-' begins one unless a digit follows. */
static bool
plain_string(const char *s)
{
	char *end;
	strtod(s, &end);
	if (!*s || (!*end && !isalpha((unsigned char)*s)))
		return false;
	if (strcmp(s, "True") == 0 || strcmp(s, "False") == 0 || strcmp(s, "None") == 0)
		return false;
	for (; *s; s++)
		if (!is_alnum(*s) && *s != '.' && *s != '_' && !(*s == '-' && s[1] >= '0' && s[1] <= '9'))
			return false;
	return true;
}

bool
add_name_value(struct buf *b, const json_t *value)
{
	const char *word = json_is_true(value) ? "True" : json_is_false(value) ? "False" :
	    json_is_null(value) ? "None" : NULL;
	if (word) {
		buf_addf(b, "%s", word);
		return true;
	}
	if (json_is_string(value)) {
		const char *s = json_string_value(value);
		bool plain = json_string_length(value) <= NAME_LIMIT_BYTES && plain_string(s);
		if (plain)
			buf_addf(b, "%s", s);
		else
			add_safe(b, s, json_string_length(value), VALUE_BYTES);
		return plain;
	}
	struct buf text = {0};
	dump_json(&text, value);
	bool number = json_is_number(value);
	if (number) {
		for (size_t i = 0; i < text.n; i++)
			if (text.p[i] != '+')
				buf_add(b, text.p + i, 1);
	} else {
		add_safe(b, text.p, text.n, VALUE_BYTES);
	}
	buf_free(&text);
	return number;
}

bool
add_name_usecase(struct buf *b, const char *usecase)
{
	size_t n = strlen(usecase), at = b->n;
	bool plain = n <= NAME_LIMIT_BYTES && (is_alnum(*usecase) || *usecase == '_') &&
	    usecase[n - 1] != '-' && !strstr(usecase, "--");
	for (size_t i = 0; i < n; i++)
		plain &= is_alnum(usecase[i]) || strchr("._-", usecase[i]);
	if (plain) {
		buf_add(b, usecase, n);
		return true;
	}
	buf_add(b, "", 0);
	add_safe(b, usecase, n, NAME_LIMIT_BYTES);
	while (b->n > at && b->p[b->n - 1] == '-')
		b->p[--b->n] = '\0';
	if (b->n == at)
		buf_add(b, "_", 1);
	if (b->p[at] == '.' || b->p[at] == '-')
		b->p[at] = '_';
	return false;
}

void
put_hashed_name(char name[NAME_LIMIT_BYTES + 1], const char *readable, size_t n,
    const char *usecase, const char *params, size_t params_n)
{
	SHA2_CTX sha;
	uint8_t digest[SHA256_DIGEST_LENGTH];
	SHA256Init(&sha);
	SHA256Update(&sha, (const uint8_t *)usecase, strlen(usecase) + 1);
	SHA256Update(&sha, (const uint8_t *)params, params_n);
	SHA256Final(digest, &sha);
	size_t most = NAME_LIMIT_BYTES - 2 - HASH_DIGITS;
	if (n > most)
		n = most;
	while (n && readable[n - 1] == '-')
		n--;
	memcpy(name, readable, n);
	name[n++] = '-';
	name[n++] = '-';
	for (int i = 0; i < HASH_DIGITS; i++)
		name[n++] = "0123456789abcdef"[digest[i / 2] >> (i % 2 ? 0 : 4) & 15];
	name[n] = '\0';
}
