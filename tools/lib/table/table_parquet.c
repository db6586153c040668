/* table_parquet.c: Parquet files, which share/parquet/columns.py writes as CSV in a Python process.
 * One process reads all files; it ends when its input is closed.
 */
#include "table/table_parquet.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/installation.h"
#include "base/python_child.h"
#include "json/json_text.h"
#include "table/table_csv.h"

#include <unistd.h>

enum { MAX_TEXT = 1 << 16 };

EMBED_STATIC(table_parquet_py, "share/parquet/columns.py");
extern const char table_parquet_py[];

static struct child reader;
static uint32_t part_bytes;	/* that are left of the current part of its answer */
static bool answers;

void
table_parquet_end(void)
{
	child_end(&reader);
}

/* What it answers: parts, each after its length; an empty one ends the file, and one of the largest
 * length is the reason why it cannot be read. */
static ssize_t
xget_part(const struct table_input *in, char *to, size_t most)
{
	char reason[MAX_TEXT + 1];
	bool good = part_bytes || fread(&part_bytes, sizeof part_bytes, 1, reader.from) == 1;
	answers |= good;
	if (good && part_bytes == UINT32_MAX) {
		reason[fread(reason, 1, MAX_TEXT, reader.from)] = '\0';
		die(ST_INPUT, "%s: %s", in->name, reason);
	}
	size_t n = part_bytes < most ? part_bytes : most;
	if (good && fread(to, 1, n, reader.from) == n) {
		part_bytes -= (uint32_t)n;
		return (ssize_t)n;
	}
	xchild_end_killed(&reader, "cannot read Parquet");
	if (answers)
		die(ST_SYSTEM, "cannot read '%s': its reader ended before the end of the file",
		    in->name);
	die(ST_SYSTEM, "cannot read '%s': no Python with pyarrow (run '%s parquet', or set "
	    "NBSCOPE_PARQUET_VENV)", in->name, installation_command());
}

static const char *
keep_name(enum keep keep)
{
	static const char *const words[] = {[KEEP_NOT] = "not", [KEEP_NUMBER] = "number",
	    [KEEP_WORD] = "word",
		[KEEP_GUESS] = "guess", [KEEP_IF_NUMBER] = "guess"};
	return words[keep];
}

static void
send_request(const struct table *t, const char *path)
{
	json_t *want = json_object();
	for (size_t i = 0; i < t->n_columns; i++)
		json_object_set_new(want, t->columns[i]->name,
		    json_string(keep_name(t->columns[i]->optional ? KEEP_NUMBER :
		    t->columns[i]->keep)));
	for (const struct table_alias *a = t->spec->aliases; a && a->name; a++) {
		const struct column *c = table_column(t, a->column);
		if (c)
			json_object_set_new(want, a->name, json_string(keep_name(c->keep)));
	}
	json_t *request = json_pack("{s:o, s:o, s:s}", "path", json_string(path), "requested", want,
	    "others", keep_name(t->spec->others));
	if (!request)
		die(ST_INPUT, "'%s' is not UTF-8", path);
	char *text = json_text_of(request);
	fprintf(reader.to, "%s\n", text);
	fflush(reader.to);
	free(text);
	json_decref(request);
}

void
xtable_parquet_read(struct table *t, const char *path, const struct path_values *values)
{
	struct table_input in = {.name = path, .get = xget_part};
	if (access(path, R_OK) != 0)
		die(ST_SYSTEM, "cannot open '%s':", path);
	if (!reader.to)
		xpython_child_start(&reader, "NBSCOPE_PARQUET_VENV", "parquet-venv",
		    table_parquet_py);
	send_request(t, path);
	xtable_input_more(&in);
	xtable_csv_read(t, &in, values);
	free(in.p);
}
