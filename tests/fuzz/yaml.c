/* yaml: a parameter file in YAML or JSON: a value that JSON can represent and a grid, or one line
 * that says where it is wrong. */
#include "../../tools/generate/nbexpand/grid.h"
#include "fuzz.h"
#include "json/json_parse.h"
#include "json/json_text.h"
#include "json/yaml.h"

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
	struct grid grid;
	char *error = NULL;
	xyaml_load(&s);
	if (json_is_object(s.root) || json_is_array(s.root)) {
		char *text = json_text_of(s.root);
		json_t *again = json_parse_text(text, strlen(text), "again", &error);
		WANT(again && json_equal(again, s.root));
	}
	xgrid_read(&grid, &s);
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
