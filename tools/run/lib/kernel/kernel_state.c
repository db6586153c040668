/* kernel_state.c: the state of a kernel, and how it ended, according to its server. */
#include "kernel/kernel_state.h"
#include "base/die.h"
#include "json/json_value.h"

enum { ASK_MS = 5000 };

/* Without a long wait, since the question may be whether the server answers at all. */
static json_t *
ask_server(struct lab *l, const char *path, long *status)
{
	long before = l->limit_ms;
	l->limit_ms = ASK_MS;
	json_t *answer = lab_call(l, "GET", path, NULL, status);
	l->limit_ms = before;
	return answer;
}

char *
kernel_state_get(struct lab *l, const char *kernel_id)
{
	char *path = xasprintf("api/kernels/%s", kernel_id), *state = NULL;
	long status;
	json_t *model = ask_server(l, path, &status);
	const char *word = json_string_value(json_object_get(model, "execution_state"));
	if (model)
		state = xstrdup(word ? word : "unknown");
	else if (status == 404)
		state = xstrdup("gone");
	json_decref(model);
	free(path);
	return state;
}

json_t *
kernel_state_end(struct lab *l, const char *kernel_id, const json_t *usage)
{
	static const char *const members[] = {"signal", "exit_status", "limit_exceeded",
		"oom_killer", "limit_bytes", "memory_bytes", "memory_t", "last_words"};
	char *path = xasprintf("api/nbscope/kernels/%s", kernel_id);
	long status;
	json_t *answer = ask_server(l, path, &status), *end = json_object(), *reason = json_null();
	for (size_t i = 0; i < COUNT(members); i++) {
		json_t *value = json_object_get(answer, members[i]);
		json_object_set(end, members[i], value ? value : json_null());
	}
	if (!answer) {
		json_t *bytes = json_object_get(usage, "rss_before_bytes");
		json_object_set(end, "memory_bytes", bytes ? bytes : json_null());
		reason = status == 0 ? json_sprintf("the server does not answer: %s", l->error) :
		    json_string("only labserve's server reports how its kernels end");
	}
	json_object_set_new(end, "reason", reason);
	json_decref(answer);
	free(path);
	return end;
}

char *
kernel_state_explain_end(const json_t *end, const char *state)
{
	const char *signal = json_string_value(json_object_get(end, "signal"));
	json_t *status = json_object_get(end, "exit_status");
	if (state && strcmp(state, "restarted") == 0)
		return xstrdup("it was restarted: by a script in the page, or from elsewhere");
	if (json_is_true(json_object_get(end, "limit_exceeded")))
		return xasprintf("out of memory: it used %.0f MB, and --kernel-memory is %.0f MB",
		    json_value_real_at(end, "memory_bytes") / 1e6,
		    json_value_real_at(end, "limit_bytes") / 1e6);
	if (json_is_true(json_object_get(end, "oom_killer")))
		return xasprintf("out of memory: killed by %s while the system's out-of-memory "
		    "killer was active", signal);
	if (signal)
		return xasprintf("killed by %s", signal);
	if (json_is_integer(status))
		return xasprintf("it ended by itself with status %lld",
		    (long long)json_integer_value(status));
	if (state && strcmp(state, "gone") == 0)
		return xstrdup("the server does not have it any more: it was shut down, by a "
		    "script in the page or from elsewhere, or the server was restarted");
	return xasprintf("the server reports '%s', but not how it ended", state ? state : "lost");
}
