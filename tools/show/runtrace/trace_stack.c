/* trace_stack.c: the stacks of threads in a profiled cell, as slices within each other.
 * Records have the spans of each stack; a frame that two stacks one after the other share is one
 * slice. */
#include "trace_stack.h"
#include "base/die.h"
#include "base/num.h"
#include "profile/profile_place.h"
#include "run/role.h"
#include "text/text.h"
#include "trace_group.h"
#include "trace_run.h"

#define OF_PAGE "stack of browser, "

enum { MAX_DEPTH = 200, NAME_COLUMNS = 100, GAP_US = 1 };

struct stack_span {
	int64_t begin_us, end_us;
	const json_t *frames;
};
static struct stack_thread {
	char *name;
	struct stack_span *v;
	size_t n;
} *threads;
static size_t n_threads;
static json_t *stacks;	/* the frames of all spans */
static double cell_t = NAN;	/* to which the spans are relative */

static struct stack_thread *
thread_of_record(struct scan *s)
{
	char *process = scan_string(s, "process"), *thread = scan_string(s, "thread");
	bool is_kernel = !process || strcmp(process, role_word(ROLE_KERNEL)) == 0;
	char *name = xasprintf("stack of %s%s%s", is_kernel ? "" : process, is_kernel ? "" : ", ",
	    thread ? thread : "a thread");
	size_t i = 0;
	while (i < n_threads && strcmp(threads[i].name, name) != 0)
		i++;
	if (i == n_threads)
		*XAPPEND(threads, n_threads) = (struct stack_thread){.name = xstrdup(name)};
	free(name);
	free(process);
	free(thread);
	return &threads[i];
}

static bool
are_strings(const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!json_is_string(json_array_get(list, i)))
			return false;
	return json_array_size(list) > 0;
}

static void
read_stack(struct scan *s)
{
	json_t *frames = span_json(scan_get(s, "stack")), *spans = span_json(scan_get(s, "spans"));
	json_t *span;
	size_t i;
	if (are_strings(frames) && json_array_size(spans)) {
		struct stack_thread *t = thread_of_record(s);
		stacks = stacks ? stacks : json_array();
		json_array_append(stacks, frames);
		json_array_foreach(spans, i, span) {
			double begin = cell_t + json_number_value(json_array_get(span, 0));
			int64_t us = trace_us(begin);
			double s_long = json_number_value(json_array_get(span, 1));
			if (us == INT64_MIN || !(s_long >= 0 && s_long < 1e6))
				continue;
			*XAPPEND(t->v, t->n) =
			    (struct stack_span){us, us + llround(s_long * 1e6), frames};
		}
	}
	json_decref(frames);
	json_decref(spans);
}

/* What a worker of dask or a stage of Spark did; a stage that has not ended has no duration. */
static void
read_task(struct scan *s, const char *group, const char *track_key, const char *name_key,
    double lasted_s)
{
	char *track = scan_string(s, track_key), *name = scan_string(s, name_key);
	int64_t begin = trace_us(span_number(scan_get(s, "t")));
	char *args = trace_run_args(s);
	if (begin != INT64_MIN && lasted_s >= 0 && lasted_s < 1e6)
		trace_writer->slice(trace_place(group, track ? track : "a worker"),
		    name ? name : "a task", begin,
		    trace_run_until(begin + llround(lasted_s * 1e6)), args);
	free(args);
	free(name);
	free(track);
}

bool
trace_stack_read(struct scan *s)
{
	if (scan_type_is(s, "profile_stack"))
		read_stack(s);
	else if (scan_type_is(s, "profile_task"))
		read_task(s, "dask", "worker", "function", span_number(scan_get(s, "duration_s")));
	else if (scan_type_is(s, "spark_stage"))
		read_task(s, "spark", "lane", "stage_name",
		    num_or_0(span_number(scan_get(s, "duration_ms"))) / 1e3);
	else if (!scan_type_is(s, "profile"))
		return false;
	else
		cell_t = span_number(scan_get(s, "t"));
	return true;
}

/* ---- drawing ------------------------------------------------------------------------------ */

static struct open_frame {
	const char *text;
	int64_t begin_us;
} frames[MAX_DEPTH];
static size_t depth;

static int
by_begin(const void *pa, const void *pb)
{
	const struct stack_span *a = pa, *b = pb;
	return (a->begin_us > b->begin_us) - (a->begin_us < b->begin_us);
}

static void
end_frames(struct trace_place place, size_t keep, int64_t end_us)
{
	while (depth > keep) {
		const struct open_frame *f = &frames[--depth];
		enum profile_owner owner;
		char *name = profile_place_frame(f->text, &owner);
		struct buf shown = {0};
		text_show(&shown, name, NAME_COLUMNS);
		trace_writer->slice(place, shown.p, f->begin_us, trace_run_until(end_us), NULL);
		buf_free(&shown);
		free(name);
	}
}

static size_t
common_frames(const json_t *stack)
{
	size_t n = 0;
	while (n < depth && n < json_array_size(stack) &&
	    strcmp(json_string_value(json_array_get(stack, n)), frames[n].text) == 0)
		n++;
	return n;
}

static void
draw_thread(struct stack_thread *t)
{
	bool page = strncmp(t->name, OF_PAGE, strlen(OF_PAGE)) == 0;
	struct trace_place place = trace_place(role_word(page ? ROLE_BROWSER : ROLE_KERNEL),
	    t->name);
	int64_t end_us = INT64_MIN;
	qsort(t->v, t->n, sizeof *t->v, by_begin);
	for (size_t i = 0; i < t->n; i++) {
		const struct stack_span *s = &t->v[i];
		int64_t begin_us = s->begin_us > end_us ? s->begin_us : end_us;
		if (s->end_us <= begin_us)
			continue;
		end_frames(place, begin_us > end_us + GAP_US ? 0 : common_frames(s->frames),
		    end_us);
		for (size_t k = depth; k < json_array_size(s->frames) && k < MAX_DEPTH; k++)
			frames[depth++] = (struct open_frame){
				json_string_value(json_array_get(s->frames, k)), begin_us};
		end_us = s->end_us;
	}
	end_frames(place, 0, end_us);
}

void
trace_stack_end(void)
{
	for (size_t i = 0; i < n_threads; i++) {
		if (threads[i].n)
			draw_thread(&threads[i]);
		free(threads[i].name);
		free(threads[i].v);
	}
	n_threads = 0;
	json_decref(stacks);
	stacks = NULL;
}
