/* notebook: a notebook as cellrun reads it to run it, and as nbpatch reads it to fill it. */
#include "notebook/notebook.h"
#include "../../tools/generate/nbpatch/template_fill.h"
#include "fuzz.h"
#include "json/json_parse.h"

#include <stdlib.h>
#include <string.h>

static void
run_it(void *path)
{
	struct notebook nb = xnotebook_read(path);
	WANT(nb.n > 0);
	for (size_t i = 0; i < nb.n; i++)
		(void)notebook_cell_has_tag(&nb.cells[i], "skip_profiling");
}

static void
fill_it(void *path)
{
	struct template t;
	struct buf b = {0};
	char *error = NULL;
	json_t *params = json_pack("{s:i, s:s, s:[f, n]}", "n", 1, "mode", "a'\"\n\\{n_value}", "limits", 0.5);
	struct combination c = {.usecase = "u", .name = "u-n1", .params = params};
	xtemplate_load(&t, path);
	xtemplate_prepare(&t, NULL, params);
	xtemplate_check(&t, &c);
	template_fill(&t, &c, &b);
	WANT(json_parse_text(b.p, b.n, "filled", &error));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *path = strdup(fuzz_file(data, n));
	int status = fuzz_caught(run_it, path, NULL);
	WANT(status == FUZZ_RETURNED || status == ST_INPUT);
	fuzz_said();
	status = fuzz_caught(fill_it, path, NULL);
	WANT(status == FUZZ_RETURNED || status == ST_INPUT);
	fuzz_said();
	free(path);
	fuzz_unfile();
	return 0;
}
