/* table_words.c: the different words of a column, in a hash table of codes. */
#include "table/table_words.h"
#include "base/die.h"

enum { FIRST_SLOTS = 64, ROOM_BYTES = 1 << 14 };

static uint32_t
hash_word(const char *p, size_t n)
{
	uint64_t h = n * 0x9e3779b97f4a7c15u, part;
	for (; n >= 8; p += 8, n -= 8) {
		memcpy(&part, p, 8);
		h = (h ^ part) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	part = 0;
	memcpy(&part, p, n);
	h = (h ^ part) * 0xff51afd7ed558ccdu;
	return (uint32_t)(h >> 32);
}

/* Stored in front of each word. */
size_t
table_word_length(const char *word)
{
	uint32_t n;
	memcpy(&n, word - sizeof n, sizeof n);
	return n;
}

static void
add_slot(struct column *c, uint32_t code)
{
	const char *word = c->words[code];
	size_t i = hash_word(word, table_word_length(word)) & (c->n_slots - 1);
	while (c->slots[i])
		i = (i + 1) & (c->n_slots - 1);
	c->slots[i] = code + 1;
}

static char *
copy_word(struct column *c, const char *p, size_t n)
{
	uint32_t length = (uint32_t)n;
	size_t need = sizeof length + n + 1;
	if (c->room_left < need) {
		c->room_left = need > ROOM_BYTES ? need : ROOM_BYTES;
		c->room = xmalloc(c->room_left);
	}
	char *text = c->room + sizeof length;
	memcpy(c->room, &length, sizeof length);
	memcpy(text, p, n);
	text[n] = '\0';
	c->room += need;
	c->room_left -= need;
	return text;
}

static bool
is_same_word(const char *word, const char *p, size_t n)
{
	return table_word_length(word) == n && memcmp(word, p, n) == 0;
}

/* Words are written to files and records: UTF-8 (as jansson checks it) without NUL. */
static bool
is_text(const char *p, size_t n)
{
	json_t *j = json_stringn(p, n);
	bool good = j && !memchr(p, '\0', n);
	json_decref(j);
	return good;
}

uint32_t
table_word_code(struct column *c, const char *p, size_t n)
{
	if (c->last < c->n_words && is_same_word(c->words[c->last], p, n))
		return c->last;
	if (2 * (c->n_words + 1) > c->n_slots) {
		free(c->slots);
		if (!c->n_slots)
			c->n_slots = FIRST_SLOTS;
		while (2 * (c->n_words + 1) > c->n_slots)
			c->n_slots *= 2;
		c->slots = xmalloc(c->n_slots * sizeof *c->slots);
		memset(c->slots, 0, c->n_slots * sizeof *c->slots);
		for (uint32_t i = 0; i < c->n_words; i++)
			add_slot(c, i);
	}
	size_t i = hash_word(p, n) & (c->n_slots - 1);
	for (; c->slots[i]; i = (i + 1) & (c->n_slots - 1)) {
		if (is_same_word(c->words[c->slots[i] - 1], p, n))
			return c->last = c->slots[i] - 1;
	}
	if (!is_text(p, n))
		return NO_WORD;
	if ((c->n_words & (c->n_words - 1)) == 0)
		c->words = xrealloc(c->words, (c->n_words ? 2 * c->n_words : 1) * sizeof *c->words);
	c->words[c->n_words] = copy_word(c, p, n);
	c->slots[i] = (uint32_t)++c->n_words;
	return c->last = (uint32_t)c->n_words - 1;
}
