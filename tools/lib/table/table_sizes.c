/* table_sizes.c: programs that write KB, MB and GB, and mean powers of 1024. */
#include "table/table_sizes.h"
#include "table/table_bad.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 1, SIZED = 2, KNOWN = NAMED | SIZED };
static const struct {
	const char *begin;	/* of a column's name */
	unsigned marks;
} programs[] = {{"native_id", KNOWN}, {"realtime", NAMED}, {"peak_rss", SIZED},
    {"peak_vmem", SIZED},	/* Nextflow's trace */
    {"resources_used.", KNOWN}};	/* PBS */

void
table_sizes_note(struct table *t, const char *column, size_t n)
{
	for (size_t i = 0; i < COUNT(programs); i++)
		if (strlen(programs[i].begin) <= n && strncmp(column, programs[i].begin,
		    strlen(programs[i].begin)) == 0)
			t->size_marks |= programs[i].marks;
}

const char *
table_sizes_text(const struct table *t, struct column *c, const char *p, size_t *n,
    char room[SIZE_TEXT_BYTES])
{
	size_t digits = 0;
	while (digits < *n && (isdigit((unsigned char)p[digits]) || p[digits] == '.'))
		digits++;
	size_t at = digits + (digits < *n && p[digits] == ' ');
	bool bytes = at + 1 == *n && p[at] == 'b', scaled = at + 2 == *n && strchr("bB",
	    p[at + 1]) && strchr("kKmMgGtTpP", p[at]);
	if (t->size_marks != KNOWN || !digits || digits > SIZE_TEXT_BYTES / 2 ||
	    !(bytes || scaled))
		return p;
	table_bad_example(t, &c->remarks[BINARY_SIZE], p, *n);
	*n = (size_t)snprintf(room, SIZE_TEXT_BYTES, "%.*s %.*s%s", (int)digits, p, scaled,
	    (char[]){(char)toupper((unsigned char)p[at])}, scaled ? "iB" : "B");
	return room;
}
