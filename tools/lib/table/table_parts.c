/* table_parts.c: a CSV file, read on several processors if it is long.
 *
 * It is split at newlines into parts of about equal size.  Whether such a newline ends
 * a row or is within quotes is known when the part before it has been read.  If that
 * ended within a row, or a part has a fault, or a column of another kind, the reader
 * continues alone from there.  The result is the same.
 */
#include "table/table_parts.h"
#include "base/die.h"
#include "base/threads.h"
#include "json/lines.h"
#include "table/table_csv.h"

#include <pthread.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PART_BYTES = 4 << 20, SEARCH_BYTES = 1 << 16 };

struct file_part {
	struct csv r;
	struct table_input in;
	struct table t;
	off_t from;
	pthread_t thread;
	bool started, whole, good;
};
struct parts {
	struct file_part part[MAX_THREADS];
	size_t n;
};

/* The offset after the first newline from `at` on; 0: none near. */
static off_t
next_row(int fd, off_t at)
{
	static char text[SEARCH_BYTES];
	ssize_t n = pread(fd, text, sizeof text, at);
	const char *nl = n > 0 ? memchr(text, '\n', (size_t)n) : NULL;
	return nl ? at + (nl - text) + 1 : 0;
}

static void *
read_part(void *arg)
{
	struct file_part *p = arg;
	jmp_buf fault;
	p->r.fault = &fault;
	if (setjmp(fault) == 0) {
		xtable_input_more(&p->in);
		p->whole = table_csv_rows(&p->r, NULL);
		p->good = true;
	}
	return NULL;
}

static void
prepare_part(struct file_part *p, const struct csv *r, off_t from)
{
	p->from = from;
	p->in = (struct table_input){.fd = r->in->fd, .name = r->in->name, .placed = true,
	    .offset = from, .left = NO_LIMIT};
	table_like(&p->t, r->t);
	p->r = (struct csv){.t = &p->t, .in = &p->in, .line = 1, .separator = r->separator,
	    .n_columns = r->n_columns,
		.unquoted = {.limit = r->unquoted.limit}};
	p->t.line = &p->r.line;
	p->t.more_lines = &p->r.lines;
	p->r.columns = xmalloc(r->n_columns * sizeof *p->r.columns);
	for (size_t i = 0; i < r->n_columns; i++)
		p->r.columns[i] = r->columns[i] ? table_column(&p->t, r->columns[i]->name) : NULL;
}

/* What follows the header: the first part is the caller's, each other is read by a thread
 * into a table of its own.  NULL: the file is too short, or not a file. */
static struct parts *
begin_parts(struct csv *r)
{
	struct stat st;
	struct table_input *in = r->in;
	off_t here = lseek(in->fd, 0, SEEK_CUR);
	if (in->get || here < 0 || fstat(in->fd, &st) != 0 || !S_ISREG(st.st_mode) || in->eof)
		return NULL;
	off_t first = here - (off_t)(in->n - in->at), bytes = st.st_size - first;
	size_t n = threads_available();
	if ((off_t)n > bytes / PART_BYTES)
		n = bytes / PART_BYTES > 0 ? (size_t)(bytes / PART_BYTES) : 1;
	struct parts *all = xmalloc(sizeof *all);
	*all = (struct parts){0};
	for (size_t i = 1; i < n; i++) {
		off_t from = next_row(in->fd, first + bytes / (off_t)n * (off_t)i);
		/* The previous part ends there. */
		if (from > (all->n ? all->part[all->n - 1].from : here))
			prepare_part(&all->part[all->n++], r, from);
	}
	if (all->n == 0) {
		free(all);
		return NULL;
	}
	in->left = (uint64_t)(all->part[0].from - here);
	for (size_t i = 0; i < all->n; i++) {
		struct file_part *p = &all->part[i];
		if (i + 1 < all->n)
			p->in.left = (uint64_t)(all->part[i + 1].from - p->from);
		/* If it cannot be started it is not good, and the caller does its work. */
		p->started = pthread_create(&p->thread, NULL, read_part, p) == 0;
	}
	return all;
}

static void
free_part(struct file_part *p)
{
	free(p->r.columns);
	buf_free(&p->r.unquoted);
	free(p->in.p);
	table_free(&p->t);
}

/* Joins them; `whole`: the first part ended with a row.  False: the file could not be
 * split so, and the caller continues where its input is now. */
static bool
end_parts(struct parts *all, struct csv *r, bool whole)
{
	size_t taken = 0;
	bool good = whole;
	for (size_t i = 0; i < all->n; i++) {
		struct file_part *p = &all->part[i];
		if (p->started)
			pthread_join(p->thread, NULL);
		good = good && p->good && table_append(r->t, &p->t, r->line - 1);
		if (good) {
			r->line += p->r.line - 1;
			taken++;
			good = p->whole;
		}
	}
	/* The caller still has the rest of the first part; otherwise it continues after the
	 * parts that were appended. */
	bool done = good && taken == all->n;
	if (!done) {
		r->in->left = NO_LIMIT;
		if (taken) {
			/* A part that ended within a row was appended up to that row. */
			const struct file_part *last = &all->part[taken - 1];
			off_t to = last->from + (off_t)last->in.passed + (off_t)last->in.at;
			if (lseek(r->in->fd, to, SEEK_SET) < 0)
				die(ST_SYSTEM, "cannot read '%s':", r->in->name);
			r->in->n = r->in->at = 0;
			r->in->eof = false;
		}
	}
	for (size_t i = 0; i < all->n; i++)
		free_part(&all->part[i]);
	free(all);
	return done;
}

void
xtable_parts_read(struct table *t, struct table_input *in, const struct path_values *values)
{
	struct csv r = {.t = t, .in = in, .line = 1, .unquoted = {.limit = LINE_LIMIT_BYTES}};
	/* A row of Parquet has no line. */
	t->line = in->get ? NULL : &r.line;
	t->more_lines = in->get ? NULL : &r.lines;
	xtable_csv_header(&r);
	struct parts *parts = values && values->n ? NULL : begin_parts(&r);
	bool whole = table_csv_rows(&r, values);
	if (parts && !end_parts(parts, &r, whole))
		table_csv_rows(&r, values);
	t->line = t->more_lines = NULL;
	free(r.columns);
	buf_free(&r.unquoted);
}
