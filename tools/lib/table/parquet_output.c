/* parquet_output.c: rows as a Parquet file, written by share/parquet/rows.py. */
#include "table/parquet_output.h"
#include "base/atomic_file.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/python_child.h"
#include "json/json_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

EMBED_STATIC(parquet_rows_py, "share/parquet/rows.py");
extern const char parquet_rows_py[];

struct parquet_output {
	struct child child;
};

struct parquet_output *
xparquet_output_start(const json_t *columns, long rest_at)
{
	struct parquet_output *o = xmalloc(sizeof *o);
	*o = (struct parquet_output){.child = {0}};
	xpython_child_start(&o->child, "NBSCOPE_PARQUET_VENV", "parquet-venv", parquet_rows_py);
	json_t *head = json_pack("{s:O}", "columns", columns);
	if (rest_at >= 0)
		json_object_set_new(head, "rest_at", json_integer(rest_at));
	char *text = json_text_of(head);
	fprintf(o->child.to, "%s\n", text);
	free(text);
	json_decref(head);
	return o;
}

void
parquet_output_row(struct parquet_output *o, const char *json, size_t n)
{
	fwrite(json, 1, n, o->child.to);
	putc('\n', o->child.to);
}

/* Reads n bytes; false: the process has ended. */
static bool
get_bytes(FILE *from, struct buf *b, uint64_t n)
{
	char piece[PIECE];
	for (uint64_t done = 0, k; done < n; done += k) {
		k = n - done < PIECE ? n - done : PIECE;
		if (fread(piece, 1, k, from) != k)
			return false;
		buf_add(b, piece, k);
	}
	return true;
}

void
xparquet_output_end(struct parquet_output *o, const char *path)
{
	struct buf b = {0};
	uint64_t n;
	if (!path && isatty(STDOUT_FILENO))
		die(ST_USAGE, "refusing to write Parquet to a terminal");
	putc('\n', o->child.to);
	fflush(o->child.to);
	int tag = getc(o->child.from);
	if (tag == EOF)
		die(ST_SYSTEM, "cannot write Parquet: no Python with pyarrow (run 'make parquet', "
		    "or set NBSCOPE_PARQUET_VENV)");
	if (fread(&n, sizeof n, 1, o->child.from) != 1 || !get_bytes(o->child.from, &b, n))
		die(ST_SYSTEM, "cannot write Parquet: the process that makes it has ended");
	if (tag == 'E')
		die(ST_SYSTEM, "cannot write Parquet: %.*s", (int)b.n, b.p ? b.p : "");
	child_end(&o->child);
	xatomic_file_put_buf(path, &b);
	buf_free(&b);
	free(o);
}
