/* record: one line of JSON, read by the two readers that there are: they accept
 * the same, refuse in the same words, see the same values; and what is written
 * reads back the same. */
#include "fuzz.h"
#include "json/json_parse.h"
#include "json/json_text.h"
#include "json/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct line {
	char *text;
	size_t n;
};

static const struct lines in = {.name = "stdin", .number = 1};

static void
compare(struct scan *s, json_t *tree)
{
	WANT(s->n == json_object_size(tree));
	for (size_t i = 0; i < s->n; i++) {
		const struct member *m = &s->m[i];
		json_t *again = span_json(m->value), *want = json_object_getn(tree, m->key.p, m->key.n);
		WANT(again);
		if (!memchr(m->key.p, '\\', m->key.n))
			WANT(want && json_equal(again, want));
		if (json_is_number(again)) {
			double x = span_number(m->value);
			WANT(x == json_number_value(again) || fabs(x) > 9e15);
		}
		char *text = span_string(m->value);
		WANT(!text == !json_is_string(again) && (!text || strlen(text) >= json_string_length(again)));
		free(text);
		json_decref(again);
	}
}

static void
read_tree(void *with)
{
	struct line *l = with;
	json_t *tree = xlines_parse(&in, l->text, l->n), *again;
	char *text = json_text_of(tree), *error = NULL;
	again = json_parse_text(text, strlen(text), "again", &error);
	WANT(again && json_equal(again, tree));
	free(text);
	json_decref(again);
	json_decref(tree);
}

static void
read_spans(void *with)
{
	struct line *l = with;
	struct scan s = {0};
	xscan_record(&s, &in, l->text, l->n);
	json_t *tree = json_loadb(l->text, l->n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
	WANT(tree);
	compare(&s, tree);
	json_decref(tree);
	free(s.m);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct line l = {fuzz_copy(data, n), n};
	size_t left;
	int one = fuzz_caught(read_tree, &l, &left);
	WANT(one == FUZZ_RETURNED ? left == 0 : one == ST_INPUT);
	char *words = strdup(fuzz_said());
	int two = fuzz_caught(read_spans, &l, &left);
	WANT(one == two && strcmp(words, fuzz_said()) == 0);
	WANT(two != FUZZ_RETURNED || left == 0);
	free(words);
	free(l.text);
	return 0;
}
