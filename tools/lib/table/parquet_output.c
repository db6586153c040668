/* parquet_output.c: rows as a Parquet file, written by share/parquet/rows.py. */
#include "table/parquet_output.h"
#include "base/atomic_file.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/installation.h"
#include "json/json_text.h"

#include <unistd.h>

EMBED_STATIC(parquet_rows_py, "share/parquet/rows.py");
extern const char parquet_rows_py[];

struct child *
xparquet_output_start(const json_t *columns, long rest_at)
{
	struct child *child = xmalloc(sizeof *child);
	xpython_child_start(child, "NBSCOPE_PARQUET_VENV", "parquet-venv", parquet_rows_py);
	json_t *head = json_pack("{s:O}", "columns", columns);
	if (rest_at >= 0)
		json_object_set_new(head, "rest_at", json_integer(rest_at));
	char *text = json_text_of(head);
	fprintf(child->to, "%s\n", text);
	free(text);
	json_decref(head);
	return child;
}

void
parquet_output_row(struct child *child, const char *json, size_t n)
{
	fwrite(json, 1, n, child->to);
	putc('\n', child->to);
}

void
xparquet_output_end(struct child *child, const char *path)
{
	struct buf b = {0};
	if (!path && isatty(STDOUT_FILENO))
		die(ST_USAGE, "refusing to write Parquet to a terminal");
	putc('\n', child->to);
	fflush(child->to);
	int tag = getc(child->from);
	if (tag == EOF)
		xchild_end_killed(child, "cannot write Parquet");
	if (tag == EOF)
		die(ST_SYSTEM, "cannot write Parquet: no Python with pyarrow (run '%s parquet', "
		    "or set NBSCOPE_PARQUET_VENV)", installation_command());
	if (fread(&b.n, sizeof b.n, 1, child->from) != 1 ||
	    fread(b.p = xmalloc(b.n), 1, b.n, child->from) != b.n)
		die(ST_SYSTEM, "cannot write Parquet: the process that makes it has ended");
	if (tag == 'E')
		die(ST_SYSTEM, "cannot write Parquet: %.*s", (int)b.n, b.p);
	child_end(child);
	xatomic_file_put_buf(path, &b);
	buf_free(&b);
	free(child);
}
