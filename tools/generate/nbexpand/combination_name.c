/* combination_name.c: a combination's name: <usecase>-<param><value>-<param><value>...
 * It depends on the combination alone, so it does not change when other values are added or
 * removed.  It is plain if it can be read in one way only; otherwise it is made safe and ends in
 * "--" and a hash of what it stands for.  No plain name contains "--".
 */
#include "combination_name.h"
#include "json/json_text.h"

#include <ctype.h>
#include <sha2.h>
#include <stdio.h>

enum {
	HASH_DIGITS = 24,	/* 96 bits */
	MAX_VALUE = 48,		/* bytes of a value that is not plain */
};

static bool
is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Each run of other bytes becomes one '_'. */
static void
add_safe_text(struct buf *b, const char *s, size_t n, size_t max)
{
	size_t end = b->n + max;
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

/* Whether a string cannot be mistaken for a number, a truth value or the next parameter, which
 * a '-' begins unless a digit follows. */
static bool
is_plain_string(const char *s)
{
	char *end;
	strtod(s, &end);
	if (!*s || (!*end && !isalpha((unsigned char)*s)))
		return false;
	if (strcmp(s, "True") == 0 || strcmp(s, "False") == 0 || strcmp(s, "None") == 0)
		return false;
	for (; *s; s++)
		if (!is_alnum(*s) && *s != '.' && *s != '_' &&
		    !(*s == '-' && s[1] >= '0' && s[1] <= '9'))
			return false;
	return true;
}

bool
combination_name_add_value(struct buf *b, const json_t *value)
{
	const char *word = json_is_true(value) ? "True" : json_is_false(value) ? "False" :
	    json_is_null(value) ? "None" : NULL;
	if (word) {
		buf_addf(b, "%s", word);
		return true;
	}
	if (json_is_string(value)) {
		const char *s = json_string_value(value);
		size_t n = json_string_length(value);
		bool plain = n <= MAX_COMBINATION_NAME && is_plain_string(s);
		if (plain)
			buf_add(b, s, n);
		else
			add_safe_text(b, s, n, MAX_VALUE);
		return plain;
	}
	struct buf text = {0};
	bool number = json_is_number(value);
	json_text_add(&text, value);
	for (size_t i = 0; number && i < text.n; i++)
		if (text.p[i] != '+')
			buf_add(b, text.p + i, 1);
	if (!number)
		add_safe_text(b, text.p, text.n, MAX_VALUE);
	buf_free(&text);
	return number;
}

bool
combination_name_add_usecase(struct buf *b, const char *usecase)
{
	size_t n = strlen(usecase), start = b->n;
	bool plain = n <= MAX_COMBINATION_NAME && (is_alnum(*usecase) || *usecase == '_') &&
	    usecase[n - 1] != '-' && !strstr(usecase, "--");
	for (size_t i = 0; i < n; i++)
		plain &= is_alnum(usecase[i]) || strchr("._-", usecase[i]);
	if (plain) {
		buf_add(b, usecase, n);
		return true;
	}
	buf_add(b, "", 0);
	add_safe_text(b, usecase, n, MAX_COMBINATION_NAME);
	while (b->n > start && b->p[b->n - 1] == '-')
		b->p[--b->n] = '\0';
	if (b->n == start)
		buf_add(b, "_", 1);
	if (b->p[start] == '.' || b->p[start] == '-')
		b->p[start] = '_';
	return false;
}

void
combination_name_hash(char name[MAX_COMBINATION_NAME + 1], const struct buf *readable,
    const char *usecase, const struct buf *params)
{
	SHA2_CTX sha;
	char hex[SHA256_DIGEST_STRING_LENGTH];
	size_t n = readable->n, max = MAX_COMBINATION_NAME - 2 - HASH_DIGITS;
	SHA256Init(&sha);
	SHA256Update(&sha, (const uint8_t *)usecase, strlen(usecase) + 1);
	SHA256Update(&sha, (const uint8_t *)params->p, params->n);
	SHA256End(&sha, hex);
	n = n < max ? n : max;
	while (n && readable->p[n - 1] == '-')
		n--;
	snprintf(name, MAX_COMBINATION_NAME + 1, "%.*s--%.*s", (int)n, readable->p,
	    HASH_DIGITS, hex);
}
