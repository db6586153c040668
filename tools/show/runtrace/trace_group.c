/* trace_group.c: the groups and tracks of a trace. */
#include "trace_group.h"
#include "base/die.h"
#include "run/role.h"

enum { MAX_GROUPS = 10000 };

struct trace_group {
	unsigned run;
	char *role, *pid;	/* pid: NULL while none is known */
	char **tracks;
	unsigned n_tracks;
};
const struct trace_writer *trace_writer;
static struct trace_group *groups;
static unsigned n_groups, run;
static char *run_name;

/* Orders groups as a person follows a cell. */
static int
order_of(const char *role)
{
	bool notebook = strcmp(role, "notebook") == 0, page = strcmp(role, "page") == 0;
	return (int)run * 100 + (notebook ? 0 : page ? 1 : 2 + (int)role_of(role));
}

void
trace_group_run(const char *name)
{
	run += run_name != NULL;
	free(run_name);
	run_name = xstrdup(name);
}

static void
name_group(unsigned id)
{
	const struct trace_group *g = &groups[id - 1];
	bool notebook = strcmp(g->role, "notebook") == 0;
	struct buf b = {0};
	buf_addf(&b, "%s", g->role);
	if ((notebook || run) && run_name)
		buf_addf(&b, "%s%s", notebook ? " " : " of ", run_name);
	if (g->pid)
		buf_addf(&b, " (pid %s)", g->pid);
	trace_writer->group(id, b.p, order_of(g->role));
	buf_free(&b);
}

/* Adds the group if there is none.  One that was opened without a pid belongs to the first
 * process that comes. */
static unsigned
find_group(const char *role, size_t n, struct span pid)
{
	bool any = span_null(pid);
	for (unsigned i = 0; i < n_groups; i++) {
		struct trace_group *g = &groups[i];
		if (g->run != run || strlen(g->role) != n || memcmp(g->role, role, n) != 0)
			continue;
		if (any || (g->pid && span_is(pid, g->pid)))
			return i + 1;
		if (g->pid)
			continue;
		g->pid = xasprintf("%.*s", (int)pid.n, pid.p);
		name_group(i + 1);
		return i + 1;
	}
	if (n_groups == MAX_GROUPS)
		die(ST_INPUT, "more than %d processes in one trace", MAX_GROUPS);
	*XAPPEND(groups, n_groups) = (struct trace_group){.run = run,
		.role = xasprintf("%.*s", (int)n, role),
		.pid = any ? NULL : xasprintf("%.*s", (int)pid.n, pid.p)};
	name_group(n_groups);
	return n_groups;
}

unsigned
trace_group(const char *role)
{
	return find_group(role, strlen(role), (struct span){0});
}

unsigned
trace_group_of(struct span role, struct span pid)
{
	return role.p && *role.p == '"' ? find_group(role.p + 1, role.n - 2, pid) : 0;
}

struct trace_place
trace_place(const char *role, const char *track)
{
	struct trace_place place = {trace_group(role), 0};
	struct trace_group *g = &groups[place.group - 1];
	while (place.track < g->n_tracks)
		if (strcmp(g->tracks[place.track++], track) == 0)
			return place;
	*XAPPEND(g->tracks, g->n_tracks) = xstrdup(track);
	place.track = g->n_tracks;
	trace_writer->track(place, track);
	return place;
}
