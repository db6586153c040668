/* table_options.c: the options that choose which rows and columns of a table are read. */
#include "table/table_options.h"
#include "base/die.h"
#include "table/column_words.h"
#include "table/table_read.h"

enum { MAX_RANK = 1000000 };

struct table_options table_options;

void
table_options_alias(const char *v)
{
	const char *eq = strchr(v, '=');
	if (!eq || eq == v || !eq[1])
		die(ST_USAGE, "--alias: expected NAME=NAME,..., not '%s'", v);
	struct list names = {0};
	struct table_options *o = &table_options;
	xlist_split(&names, eq + 1, "--alias");
	for (size_t i = 0; i < names.n; i++) {
		o->aliases = xrealloc(o->aliases, (o->n_aliases + 2) * sizeof *o->aliases);
		o->aliases[o->n_aliases++] = (struct table_alias){names.v[i],
		    xasprintf("%.*s", (int)(eq - v), v)};
		o->aliases[o->n_aliases] = (struct table_alias){0};
	}
}

void
xtable_options_ranks(const char *text, const char *option, long *from, long *to)
{
	const char *dash = strchr(text, '-');
	if (!dash)
		die(ST_USAGE, "%s: expected FIRST-LAST, as in 11-20, not '%s'", option, text);
	char *first = xasprintf("%.*s", (int)(dash - text), text);
	*from = xopt_int(first, 1, MAX_RANK, option);
	*to = dash[1] ? xopt_int(dash + 1, *from, MAX_RANK, option) : MAX_RANK;
	free(first);
}

static void
add_want(const char *name, enum keep keep)
{
	static const int rank[] = {[KEEP_NUMBER] = 3, [KEEP_WORD] = 2, [KEEP_GUESS] = 1,
	    [KEEP_IF_MET] = 0};
	struct table_options *o = &table_options;
	for (size_t i = 0; i < o->n_want; i++)
		if (strcmp(o->want[i].name, name) == 0) {
			if (rank[keep] > rank[o->want[i].keep])
				o->want[i].keep = keep;
			return;
		}
	o->want = xrealloc(o->want, (o->n_want + 1) * sizeof *o->want);
	o->want[o->n_want++] = (struct table_want){name, keep};
}

void
table_options_need(const char *name, enum keep keep)
{
	if (!derive_makes(name))
		add_want(name, keep);
}

void
table_options_need_cores(void)
{
	for (const char *const *name = column_names_of_cores; *name; name++)
		table_options_need(*name, KEEP_IF_MET);
}

bool *
xtable_options_read(struct table *t, char **paths, const char *type, enum keep others)
{
	/* The table refers to it as long as it is used. */
	static struct table_spec spec;
	const struct table_options *o = &table_options;
	derive_needs(add_want);
	spec = (struct table_spec){.want = o->want, .n_want = o->n_want,
		.type = o->type ? o->type : type, .path_pattern = o->path_pattern,
		.aliases = o->aliases,
		.exclude = (const char *const *)o->excluded.v,
		.missing = (const char *const *)o->missing.v, .others = others};
	xtable_read(t, paths, &spec);
	return xderive(t);
}

struct column **
xtable_options_columns(const struct table *t, const struct list *names, bool numbers)
{
	struct column **columns = xmalloc((names->n + 1) * sizeof *columns);
	for (size_t i = 0; i < names->n; i++)
		columns[i] = xtable_column(t, names->v[i], numbers);
	return columns;
}
