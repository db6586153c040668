/* proctreewatch.c: watched process trees as `sample` records.
 *
 * The lines are printed, not built as trees: at 1000 samples a second the
 * building would cost more than the reading.
 */
#include "proctreewatch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *
quoted(const char *s)
{
	json_t *v = json_string(s);
	char *text = v ? json_text(v) : NULL;
	json_decref(v);
	return text ? text : xstrdup("null");
}

bool
watch_begin(struct watches *ws, const char *role, pid_t pid, char error[256])
{
	char *name = quoted(role);
	for (size_t i = 0; i < ws->n; i++)
		if (ws->w[i].pid == pid && strcmp(ws->w[i].role, name) == 0) {
			free(name);
			return true;
		}
	struct proctree *tree = proctree_open(pid, error);
	if (!tree) {
		free(name);
		return false;
	}
	/* What is watched by itself belongs to nobody else. */
	for (size_t i = 0; i < ws->n; i++)
		if (ws->w[i].pid != pid) {
			proctree_exclude(ws->w[i].tree, tree);
			proctree_exclude(tree, ws->w[i].tree);
		}
	if (ws->n == ws->cap)
		ws->w = xrealloc(ws->w, (ws->cap = ws->cap ? ws->cap * 2 : 4) * sizeof *ws->w);
	ws->w[ws->n++] = (struct watched){name, pid, tree};
	return true;
}

void
watch_adopt(struct watches *ws, pid_t pid, pid_t but)
{
	for (size_t i = 0; i < ws->n; i++)
		if (ws->w[i].pid == pid)
			proctree_adopt(ws->w[i].tree, but);
}

static void
add_head(struct buf *b, double t, const char *role, pid_t pid)
{
	buf_addf(b, "{\"type\":\"sample\",\"t\":%.6f,\"role\":%s,\"pid\":%ld", t, role, (long)pid);
}

static void
add_seconds(struct buf *b, const char *name, uint64_t ns)
{
	buf_addf(b, ",\"%s\":%" PRIu64 ".%09" PRIu64, name, ns / 1000000000u, ns % 1000000000u);
}

static void
add_count(struct buf *b, const char *name, bool known, uint64_t n)
{
	if (known)
		buf_addf(b, ",\"%s\":%" PRIu64, name, n);
	else
		buf_addf(b, ",\"%s\":null", name);
}

static void
add_reason(struct buf *b, const char *reason)
{
	char *text = reason ? quoted(reason) : xstrdup("null");
	buf_addf(b, ",\"reason\":%s}\n", text);
	free(text);
}

static void
add_sample(struct buf *b, double t, const struct watched *w, const struct proc_usage *u, int what)
{
	bool io = !(u->unknown & PT_NO_IO), delay = what & PT_DELAY && !(u->unknown & PT_NO_DELAY);
	add_head(b, t, w->role, w->pid);
	add_count(b, "processes", true, u->processes);
	add_count(b, "threads", true, u->threads);
	add_seconds(b, "cpu_s", u->cpu_ns);
	if (delay)
		add_seconds(b, "run_delay_s", u->delay_ns);
	else
		add_count(b, "run_delay_s", false, 0);
	add_count(b, "rss_bytes", !(u->unknown & PT_NO_MEMORY), u->rss_bytes);
	add_count(b, "anon_bytes", !(u->unknown & PT_NO_MEMORY), u->anon_bytes);
	add_count(b, "pss_bytes", what & PT_PSS && !(u->unknown & PT_NO_PSS), u->pss_bytes);
	add_count(b, "read_bytes", io, u->read_bytes);
	add_count(b, "write_bytes", io, u->write_bytes);
	add_count(b, "syscall_read_bytes", io, u->syscall_read_bytes);
	add_count(b, "syscall_write_bytes", io, u->syscall_write_bytes);
	add_count(b, "read_calls", io, u->read_calls);
	add_count(b, "write_calls", io, u->write_calls);
	add_count(b, "minor_faults", true, u->minor_faults);
	add_count(b, "major_faults", true, u->major_faults);
	add_count(b, "context_switches", delay, u->switches);
	add_reason(b, u->unknown ? u->reason : NULL);
}

void
watch_nothing(const char *role, pid_t pid, const char *reason, struct buf *b)
{
	static const char *const names[] = {"processes", "threads", "cpu_s", "run_delay_s", "rss_bytes", "anon_bytes",
		"pss_bytes", "read_bytes", "write_bytes", "syscall_read_bytes", "syscall_write_bytes", "read_calls", "write_calls",
		"minor_faults", "major_faults", "context_switches"};
	char *name = quoted(role);
	add_head(b, now_t(), name, pid);
	for (size_t i = 0; i < COUNT(names); i++)
		add_count(b, names[i], false, 0);
	add_reason(b, reason);
	free(name);
}

static void
drop(struct watched *w)
{
	proctree_close(w->tree);
	free(w->role);
}

void
watch_sample(struct watches *ws, int what, struct buf *b)
{
	size_t kept = 0;
	for (size_t i = 0; i < ws->n; i++) {
		struct proc_usage u;
		double t = now_t();
		proctree_read(ws->w[i].tree, what, &u);
		add_sample(b, t, &ws->w[i], &u, what);
		if (u.ended)
			drop(&ws->w[i]);
		else
			ws->w[kept++] = ws->w[i];
	}
	ws->n = kept;
}

void
watch_end_all(struct watches *ws)
{
	for (size_t i = 0; i < ws->n; i++)
		drop(&ws->w[i]);
	free(ws->w);
	*ws = (struct watches){0};
}
