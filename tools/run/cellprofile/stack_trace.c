/* stack_trace.c: the stacks of threads over time, from a trace that py-spy wrote.
 * Each sample of a thread whose stack is another one gives events, which end frames and begin
 * others, all at one time; a thread that ended gives none.  The frames begin with the processes,
 * the kernel first, and the thread. */
#include "stack_trace.h"
#include "base/die.h"
#include "cell_files.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "profile_output.h"
#include "thread_watch.h"

#define THREAD "thread ("
#define PROCESS "process "

/* What a process's thread does, since when. */
struct open_stack {
	long pid, tid;
	size_t child;	/* of the kernel, from 1; 0: itself */
	char *thread;
	json_t *frames;	/* NULL: nothing yet */
	double since;
};
/* A number of py-spy's, which a forked process may share with its parent. */
struct spied_thread {
	json_int_t id;
	json_t *names;	/* frames of the stack that is being read, the outermost first */
	double us;	/* of the events that are being read */
	struct open_stack *open;
	size_t n;
};
struct seen_stack {
	char *thread;
	size_t child;
	json_t *frames, *spans;
	double running_s;
};
static struct {
	struct spied_thread *threads;
	size_t n_threads;
	struct seen_stack *stacks;
	size_t n_stacks;
	json_t *by_key, *children;	/* children: {pid: number} */
	size_t cell;	/* that ran */
	double zero_t, t;
} trace;

/* ---- spans ------------------------------------------------------------------------------- */

static struct seen_stack *
seen_stack(const struct open_stack *s)
{
	char *frames = json_text_of(s->frames);
	size_t i = xjson_value_index(trace.by_key, xasprintf("%ld %ld %s", s->pid, s->tid, frames),
	    trace.n_stacks);
	if (i == trace.n_stacks) {
		*XAPPEND(trace.stacks, trace.n_stacks) = (struct seen_stack){xstrdup(s->thread),
			s->child, json_incref(s->frames), json_array(), 0};
	}
	free(frames);
	return &trace.stacks[i];
}

/* Waiting is left out, except in the kernel's main thread: most others do nothing else. */
static void
end_span(struct open_stack *s, double end)
{
	bool is_main = !s->child && strcmp(s->thread, "MainThread") == 0;
	double begin = s->since;
	end = fmin(end, thread_watch_end((pid_t)s->pid, (pid_t)s->tid));
	if (s->frames && json_array_size(s->frames) && end > begin) {
		bool runs = thread_watch_ran((pid_t)s->pid, (pid_t)s->tid, begin, end);
		if (runs || is_main) {
			struct seen_stack *to = seen_stack(s);
			to->running_s += runs ? end - begin : 0;
			json_array_append_new(to->spans, json_pack("[o, o]",
			    json_value_time(begin - trace.t), json_value_time(end - begin)));
		}
	}
	json_decref(s->frames);
	s->frames = NULL;
}

/* ---- stacks ------------------------------------------------------------------------------- */

static json_t *
frame_json(const char *name, const json_t *args)
{
	const char *file = json_string_value(json_object_get(args, "filename"));
	json_int_t line = json_integer_value(json_object_get(args, "line"));
	long left_out = 0;
	const char *shown = file ? cell_files_name(file) : "";
	const char *cell = file ? cell_files_cell(file, strlen(file), trace.cell, &left_out) : NULL;
	json_t *frame = cell ? json_sprintf("%s (%s:%lld)", name, cell,
	    (long long)line + left_out) : !file || !*file ? json_string(name) :
	    line > 0 ? json_sprintf("%s (%s:%lld)", name, shown, (long long)line) :
	    json_sprintf("%s (%s)", name, shown);
	return frame ? frame : json_string("?");
}

static struct open_stack *
open_stack(struct spied_thread *s, long pid, long tid)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->open[i].pid == pid && s->open[i].tid == tid)
			return &s->open[i];
	s->open = xrealloc(s->open, (s->n + 1) * sizeof *s->open);
	s->open[s->n] = (struct open_stack){.pid = pid, .tid = tid};
	return &s->open[s->n++];
}

static size_t
child_number(long pid)
{
	char key[24];
	snprintf(key, sizeof key, "%ld", pid);
	if (!json_object_get(trace.children, key))
		json_object_set_new(trace.children, key,
		    json_integer((json_int_t)json_object_size(trace.children) + 1));
	return (size_t)json_integer_value(json_object_get(trace.children, key));
}

/* All events of a sample have been read: what the thread does from there on. */
static void
take_sample(struct spied_thread *s)
{
	size_t i, processes = 0;
	long pid = 0, tid = 0;
	const char *thread = "MainThread";
	json_t *frame, *frames = json_array();	/* below the processes and the thread */
	json_array_foreach(s->names, i, frame) {
		const char *name = json_string_value(frame);
		const char *after = strncmp(name, THREAD, strlen(THREAD)) == 0 ?
		    strchr(name, ')') : NULL;
		if (json_array_size(frames) == 0 && strncmp(name, PROCESS, strlen(PROCESS)) == 0) {
			pid = strtol(name + strlen(PROCESS), NULL, 10);
			processes++;
		} else if (json_array_size(frames) == 0 && after) {
			tid = strtol(name + strlen(THREAD), NULL, 10);
			thread = strncmp(after, "): ", 3) == 0 ? after + 3 : thread;
		} else {
			json_array_append(frames, frame);
		}
	}
	if (!pid) {	/* between two processes with the same number */
		json_decref(frames);
		return;
	}
	struct open_stack *open = open_stack(s, pid, tid);
	double t = trace.zero_t + s->us / 1e6;
	if (open->frames)
		end_span(open, t);
	open->child = processes > 1 ? child_number(pid) : 0;
	free(open->thread);
	open->thread = xstrdup(thread);
	open->frames = frames;
	open->since = t;
}

static struct spied_thread *
spied_thread(json_int_t id)
{
	for (size_t i = 0; i < trace.n_threads; i++)
		if (trace.threads[i].id == id)
			return &trace.threads[i];
	struct spied_thread *s = XAPPEND(trace.threads, trace.n_threads);
	*s = (struct spied_thread){.id = id, .names = json_array(), .us = NAN};
	return s;
}

static void
read_event(const json_t *event)
{
	struct spied_thread *s = spied_thread(json_integer_value(json_object_get(event, "tid")));
	const char *ph = json_string_value(json_object_get(event, "ph"));
	const char *name = json_string_value(json_object_get(event, "name"));
	double us = json_value_real_at(event, "ts");
	if (us > s->us)
		take_sample(s);
	s->us = us;
	if (ph && *ph == 'B')
		json_array_append_new(s->names, frame_json(name ? name : "?",
		    json_object_get(event, "args")));
	else if (json_array_size(s->names))
		json_array_remove(s->names, json_array_size(s->names) - 1);
}

static void
end_threads(double end)
{
	for (size_t i = 0; i < trace.n_threads; i++) {
		struct spied_thread *s = &trace.threads[i];
		for (size_t k = 0; k < s->n; k++) {
			if (s->open[k].frames)
				end_span(&s->open[k], end);
			free(s->open[k].thread);
		}
		free(s->open);
		json_decref(s->names);
	}
	trace.n_threads = 0;
}

/* One event at a time: a trace of minutes is large. */
static void
read_events(const char *text, size_t n)
{
	json_error_t e;
	for (size_t at = 1; at < n && text[at] == '{'; ) {
		json_t *event = json_loadb(text + at, n - at, JSON_DISABLE_EOF_CHECK, &e);
		if (!event)
			break;
		read_event(event);
		json_decref(event);
		at += (size_t)e.position;
		at += at < n && text[at] == ',';
	}
}

/* ---- records ------------------------------------------------------------------------------ */

double
stack_trace_end_us(const char *text, size_t n)
{
	static const char key[] = "\"ts\":";
	const char *last = NULL;
	for (const char *p = text; (p = memmem(p, n - (size_t)(p - text), key, strlen(key))); p++)
		last = p;
	return last ? strtod(last + strlen(key), NULL) : 0;
}

size_t
stack_trace_write(const struct notebook_cell *c, const char *text, size_t n, double zero_t,
    double t, double rate_hz)
{
	trace.by_key = json_object();
	trace.children = json_object();
	trace.cell = c->index;
	trace.zero_t = zero_t;
	trace.t = t;
	read_events(text, n);
	end_threads(zero_t + stack_trace_end_us(text, n) / 1e6);
	size_t written = trace.n_stacks;
	for (size_t i = 0; i < trace.n_stacks; i++) {
		struct seen_stack *s = &trace.stacks[i];
		char *process = s->child < 2 ? xstrdup(s->child ? "child" : "kernel") :
		    xasprintf("child %zu", s->child);
		profile_output_stack(c, process, s->thread, s->frames,
		    (size_t)llround(s->running_s * rate_hz), s->running_s, s->spans);
		free(process);
		free(s->thread);
	}
	json_decref(trace.by_key);
	json_decref(trace.children);
	trace.n_stacks = 0;
	return written;
}
