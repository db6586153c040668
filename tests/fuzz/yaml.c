/* yaml: a parameter file in YAML or JSON: a tree that JSON can carry, or one
 * line that says where it is wrong. */
#include "fuzz.h"
#include "generate.h"

#include <stdlib.h>
#include <string.h>

struct text {
	char *p;
	size_t n;
};

static void
read_parameters(void *with)
{
	struct text *t = with;
	struct source s = {.name = "p.yaml", .text = t->p, .n = t->n};
	struct space space;
	char *error = NULL;
	xload_yaml(&s);
	if (json_is_object(s.root) || json_is_array(s.root)) {
		char *text = json_text(s.root);
		json_t *again = parse_json(text, strlen(text), "again", &error);
		WANT(again && json_equal(again, s.root));
	}
	xread_space(&space, &s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct text t = {fuzz_copy(data, n), n};
	int status = fuzz_caught(read_parameters, &t, NULL);
	WANT(status == FUZZ_RETURNED || status == ST_INPUT);
	WANT(status == FUZZ_RETURNED || strncmp(fuzz_said(), "fuzz: p.yaml:", 13) == 0);
	free(t.p);
	return 0;
}
