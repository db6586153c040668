/* process_watch.c: watched process trees, as `sample` records.
 * Lines are printed instead of built as JSON trees: at 1000 samples a second building them would
 * cost more than reading /proc. */
#include "process_watch.h"
#include "base/clock.h"
#include "base/die.h"
#include "json/json_text.h"

#include <inttypes.h>

/* Returns the text as JSON: a string, or null for NULL and for what is not UTF-8. */
static char *
text_json(const char *s)
{
	json_t *v = s ? json_string(s) : NULL;
	char *text = v ? json_text_of(v) : xstrdup("null");
	json_decref(v);
	return text;
}

bool
process_watch_begin(struct process_watches *ws, const char *role, pid_t pid, char error[256])
{
	char *name = text_json(role);
	for (size_t i = 0; i < ws->n; i++)
		if (ws->w[i].pid == pid && strcmp(ws->w[i].role, name) == 0) {
			free(name);
			return true;
		}
	struct process_tree *tree = process_tree_open(pid, error);
	if (!tree) {
		free(name);
		return false;
	}
	/* A process that is watched itself belongs to no other tree. */
	for (size_t i = 0; i < ws->n; i++)
		if (ws->w[i].pid != pid) {
			process_tree_exclude(ws->w[i].tree, tree);
			process_tree_exclude(tree, ws->w[i].tree);
		}
	*XAPPEND(ws->w, ws->n) = (struct process_watched){name, pid, tree};
	return true;
}

void
process_watch_adopt(struct process_watches *ws, pid_t pid, pid_t except)
{
	for (size_t i = 0; i < ws->n; i++)
		if (ws->w[i].pid == pid)
			process_tree_adopt(ws->w[i].tree, except);
}

static void
add_head(struct buf *b, double t, const char *role, pid_t pid)
{
	buf_addf(b, "{\"type\":\"sample\",\"t\":%.6f,\"role\":%s,\"pid\":%ld", t, role,
	    (long)pid);
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
	char *text = text_json(reason);
	buf_addf(b, ",\"reason\":%s}\n", text);
	free(text);
}

static void
add_sample(struct buf *b, double t, const struct process_watched *w,
    const struct process_usage *u, int what)
{
	bool memory = !(u->unknown & PT_NO_MEMORY), io = !(u->unknown & PT_NO_IO);
	bool pss = what & PT_PSS && !(u->unknown & PT_NO_PSS);
	bool delay = what & PT_DELAY && !(u->unknown & PT_NO_DELAY);
	add_head(b, t, w->role, w->pid);
	add_count(b, "processes", true, u->processes);
	add_count(b, "threads", true, u->threads);
	add_seconds(b, "cpu_s", u->cpu_ns);
	if (delay)
		add_seconds(b, "run_queue_wait_s", u->delay_ns);
	else
		add_count(b, "run_queue_wait_s", false, 0);
	add_count(b, "rss_bytes", memory, u->rss_bytes);
	add_count(b, "anon_bytes", memory, u->anon_bytes);
	add_count(b, "pss_bytes", pss, u->pss_bytes);
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
process_watch_sample_unwatched(const char *role, pid_t pid, const char *reason, struct buf *b)
{
	static const char *const names[] = {
		"processes", "threads", "cpu_s", "run_queue_wait_s", "rss_bytes", "anon_bytes",
		"pss_bytes", "read_bytes", "write_bytes", "syscall_read_bytes",
		"syscall_write_bytes", "read_calls", "write_calls", "minor_faults",
		"major_faults", "context_switches",
	};
	char *name = text_json(role);
	add_head(b, clock_unix_s(), name, pid);
	for (size_t i = 0; i < COUNT(names); i++)
		add_count(b, names[i], false, 0);
	add_reason(b, reason);
	free(name);
}

static void
close_watched(struct process_watched *w)
{
	process_tree_close(w->tree);
	free(w->role);
}

void
process_watch_sample(struct process_watches *ws, int what, struct buf *b)
{
	size_t kept = 0;
	for (size_t i = 0; i < ws->n; i++) {
		struct process_usage u;
		double t = clock_unix_s();
		process_tree_read(ws->w[i].tree, what, &u);
		add_sample(b, t, &ws->w[i], &u, what);
		if (u.ended)
			close_watched(&ws->w[i]);
		else
			ws->w[kept++] = ws->w[i];
	}
	ws->n = kept;
}

void
process_watch_end_all(struct process_watches *ws)
{
	for (size_t i = 0; i < ws->n; i++)
		close_watched(&ws->w[i]);
	free(ws->w);
	*ws = (struct process_watches){0};
}
