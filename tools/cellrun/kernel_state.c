/* kernelend.c: a kernel that went wrong, as its server tells it. */
#include "kernelend.h"

#include <stdlib.h>

enum { ASK_MS = 5000 };

/* A server that does not answer now is what is to be found out: no long wait. */
static json_t *
ask(struct lab *l, const char *path, long *status)
{
	long before = l->limit_ms;
	l->limit_ms = ASK_MS;
	json_t *answer = lab_call(l, "GET", path, NULL, status);
	l->limit_ms = before;
	return answer;
}

char *
kernel_state(struct lab *l, const char *kernel_id)
{
	char *path = xasprintf("api/kernels/%s", kernel_id);
	long status;
	json_t *model = ask(l, path, &status);
	const char *word = json_string_value(json_object_get(model, "execution_state"));
	char *state = word ? xstrdup(word) : status == 404 ? xstrdup("gone") : NULL;
	if (model && !word)
		state = xstrdup("unknown");
	json_decref(model);
	free(path);
	return state;
}

json_t *
kernel_end(struct lab *l, const char *kernel_id, const json_t *usage)
{
	static const char *const told[] = {"signal", "exit_status", "limit_exceeded", "oom_killer", "limit_bytes", "memory_bytes", "memory_t", "last_words"};
	char *path = xasprintf("api/nbscope/kernels/%s", kernel_id);
	long status;
	json_t *answer = ask(l, path, &status), *end = json_object();
	for (size_t i = 0; i < COUNT(told); i++) {
		json_t *v = json_object_get(answer, told[i]);
		json_object_set(end, told[i], v ? v : json_null());
	}
	if (!answer) {
		json_object_set(end, "memory_bytes", json_object_get(usage, "rss_before_bytes"));
		if (!json_object_get(end, "memory_bytes"))
			json_object_set_new(end, "memory_bytes", json_null());
	}
	json_object_set_new(end, "reason", answer ? json_null() : status == 0 ? json_sprintf("the server does not answer: %s", l->error) :
	    json_string("only a server of labserve's tells how its kernels end"));
	json_decref(answer);
	free(path);
	return end;
}

static double
mb(const json_t *end, const char *key)
{
	return json_real_at(end, key) / 1e6;
}

char *
kernel_end_words(const json_t *end, const char *state)
{
	const char *signal = json_string_value(json_object_get(end, "signal"));
	json_t *status = json_object_get(end, "exit_status");
	if (json_is_true(json_object_get(end, "limit_exceeded")))
		return xasprintf("out of memory: it took %.0f MB, and --kernel-memory is %.0f MB", mb(end, "memory_bytes"), mb(end, "limit_bytes"));
	if (json_is_true(json_object_get(end, "oom_killer")))
		return xasprintf("out of memory: killed by %s while the system's out-of-memory killer was at work", signal);
	if (signal)
		return xasprintf("killed by %s", signal);
	if (json_is_integer(status))
		return xasprintf("it ended by itself with status %d", (int)json_integer_value(status));
	return xasprintf("the server says '%s'; it does not tell how it ended", state ? state : "lost");
}
