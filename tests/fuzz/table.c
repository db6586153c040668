/* table: a CSV file, or records, read whole and read in pieces: the same table,
 * or the same words about what is wrong. */
#include "base/buf.h"
#include "fuzz.h"
#include "table/table_read.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char *
whole_text(const struct table *t)
{
	struct buf b = {0};
	buf_addf(&b, "%zu rows\n", t->n_rows);
	for (size_t c = 0; c < t->n_columns; c++) {
		buf_addf(&b, "%s:", t->columns[c]->name);
		for (size_t row = 0; row < t->n_rows; row++) {
			char *text = table_text(t->columns[c], row);
			buf_addf(&b, " %s", text ? text : "-");
			free(text);
		}
		buf_addf(&b, "\n");
	}
	return b.p;
}

struct reading {
	enum keep keep;
	char *text;	/* made outside: what is left within is freed */
	size_t n;
};

static void
read_table(void *with)
{
	struct reading *r = with;
	char *paths[] = {"-", NULL};
	struct table_spec spec = {.others = r->keep};
	struct table t;
	xtable_read(&t, paths, &spec);
	char *text = whole_text(&t);
	r->n = strlen(text);
	memcpy(r->text, text, r->n < 1 << 20 ? r->n : 1 << 20);
	free(text);
	table_free(&t);
}

/* Each read gives one packet, as a pipe may. */
static void
give(const uint8_t *data, size_t n, size_t piece)
{
	int ends[2], room = 1 << 20;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0 ||
	    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room) != 0)
		abort();
	for (size_t at = 0; at < n; at += piece)
		if (send(ends[0], data + at, piece < n - at ? piece : n - at, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
			break;
	close(ends[0]);
	dup2(ends[1], 0);
	close(ends[1]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static char whole[1 << 20], pieces[1 << 20];
	if (n < 2)
		return 0;
	struct reading one = {.keep = (*data & 3) + KEEP_NUMBER, .text = whole}, two = {.keep = one.keep, .text = pieces};
	/* The socket holds only this number of packets. */
	size_t piece = 1 + data[1] % 64 + (n - 2) / 100;
	give(data + 2, n - 2, n - 2 ? n - 2 : 1);
	int status = fuzz_caught(read_table, &one, NULL);
	WANT(status == FUZZ_RETURNED || status == ST_INPUT);
	char *words = strdup(fuzz_said());
	give(data + 2, n - 2, piece);
	WANT(fuzz_caught(read_table, &two, NULL) == status && strcmp(words, fuzz_said()) == 0);
	WANT(one.n == two.n && memcmp(whole, pieces, one.n < sizeof whole ? one.n : sizeof whole) == 0);
	free(words);
	return 0;
}
