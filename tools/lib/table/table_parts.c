/* tableparts.c: a long CSV file, read on several processors.
 *
 * It is cut at newlines near equal parts of its bytes.  Whether such a newline ends
 * a row, or stands within quotes, is known when the part before it has been read:
 * if that ended within a row, or a part has a fault, or made another kind of a
 * column, the reader goes on alone from there.  What comes out is the same.
 */
#include "table/table_csv.h"
#include "base/threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PART_BYTES = 4 << 20, LOOK_BYTES = 1 << 16 };

struct part {
	struct csv r;
	struct input in;
	struct table t;
	off_t from;
	pthread_t thread;
	bool started, whole, good;
};
struct parts {
	struct part part[MAX_THREADS];
	size_t n;
};

/* Behind the first newline from `at` on; 0: there is none near. */
static off_t
cut(int fd, off_t at)
{
	static char look[LOOK_BYTES];
	ssize_t n = pread(fd, look, sizeof look, at);
	const char *nl = n > 0 ? memchr(look, '\n', (size_t)n) : NULL;
	return nl ? at + (nl - look) + 1 : 0;
}

static void *
read_part(void *arg)
{
	struct part *p = arg;
	jmp_buf fault;
	p->r.fault = &fault;
	if (setjmp(fault) == 0) {
		xinput_more(&p->in);
		p->whole = csv_take_rows(&p->r, NULL);
		p->good = true;
	}
	return NULL;
}

static void
start(struct part *p, const struct csv *r, off_t from)
{
	p->from = from;
	p->in = (struct input){.fd = r->in->fd, .name = r->in->name, .placed = true, .offset = from, .left = NO_LIMIT};
	table_like(&p->t, r->t);
	p->r = (struct csv){.t = &p->t, .in = &p->in, .line = 1, .between = r->between, .n_columns = r->n_columns,
		.unquoted = {.limit = r->unquoted.limit}};
	p->r.columns = xmalloc(r->n_columns * sizeof *p->r.columns);
	for (size_t i = 0; i < r->n_columns; i++)
		p->r.columns[i] = r->columns[i] ? table_column(&p->t, r->columns[i]->name) : NULL;
}

struct parts *
parts_begin(struct csv *r)
{
	struct stat st;
	struct input *in = r->in;
	off_t here = lseek(in->fd, 0, SEEK_CUR);
	if (here < 0 || fstat(in->fd, &st) != 0 || !S_ISREG(st.st_mode) || in->eof)
		return NULL;
	off_t first = here - (off_t)(in->n - in->at), bytes = st.st_size - first;
	size_t n = threads_available();
	if ((off_t)n > bytes / PART_BYTES)
		n = bytes / PART_BYTES > 0 ? (size_t)(bytes / PART_BYTES) : 1;
	struct parts *all = xmalloc(sizeof *all);
	*all = (struct parts){0};
	for (size_t i = 1; i < n; i++) {
		off_t from = cut(in->fd, first + bytes / (off_t)n * (off_t)i);
		/* The part before it ends there. */
		if (from > (all->n ? all->part[all->n - 1].from : here))
			start(&all->part[all->n++], r, from);
	}
	if (all->n == 0) {
		free(all);
		return NULL;
	}
	in->left = (uint64_t)(all->part[0].from - here);
	for (size_t i = 0; i < all->n; i++) {
		struct part *p = &all->part[i];
		if (i + 1 < all->n)
			p->in.left = (uint64_t)(all->part[i + 1].from - p->from);
		/* One that cannot be started is not good, and the reader does its work. */
		p->started = pthread_create(&p->thread, NULL, read_part, p) == 0;
	}
	return all;
}

static void
free_part(struct part *p)
{
	free(p->r.columns);
	buf_free(&p->r.unquoted);
	free(p->in.p);
	table_free(&p->t);
}

bool
parts_end(struct parts *all, struct csv *r, bool whole)
{
	size_t taken = 0;
	bool good = whole;
	for (size_t i = 0; i < all->n; i++) {
		struct part *p = &all->part[i];
		if (p->started)
			pthread_join(p->thread, NULL);
		good = good && p->good && table_append(r->t, &p->t);
		if (good) {
			r->line += p->r.line - 1;
			taken++;
			good = p->whole;
		}
	}
	/* The first part's rest is in the reader's hands; else it goes on behind those taken. */
	bool done = good && taken == all->n;
	if (!done) {
		r->in->left = NO_LIMIT;
		if (taken) {
			/* A part that ended within a row was taken up to that row. */
			const struct part *last = &all->part[taken - 1];
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
