/* run_state.c: whether a run is current, or has to be made. */
#include "run/run_state.h"
#include "base/die.h"
#include "base/str.h"

static const struct {
	const char *word;
	bool counts, whole;
} states[] = {
	[STATE_CURRENT] = {"current", true, true},
	[STATE_STALE] = {"stale", false, true},
	[STATE_MISSING] = {"missing", false, false},
	[STATE_DAMAGED] = {"damaged", false, false},
	[STATE_RERUN] = {"rerun", true, true},
	[RUN_STATES] = {NULL, false, false},
};

const char *
run_state_word(enum run_state state)
{
	return states[state].word;
}

bool
run_state_is_record(struct scan *s)
{
	return scan_type_is(s, "run_plan") && span_null(scan_get(s, "profile"));
}

enum run_state
run_state_of(struct scan *s)
{
	char *word = scan_string(s, "state");
	size_t i = 0;
	while (i < RUN_STATES && !(word && strcmp(states[i].word, word) == 0))
		i++;
	free(word);
	return (enum run_state)i;
}

bool
run_state_counts(enum run_state state)
{
	return states[state].counts;
}

bool
run_state_is_whole(enum run_state state)
{
	return states[state].whole;
}

bool
run_state_is_left_out(enum run_state state)
{
	return state == STATE_STALE || state == STATE_DAMAGED;
}

void
run_state_add_left_out(json_t *counts, struct scan *s)
{
	enum run_state state = run_state_of(s);
	if (!run_state_is_left_out(state))
		return;
	char *reason = scan_string(s, "reason");
	const char *why = reason ? reason : run_state_word(state);
	json_int_t before = json_integer_value(json_object_get(counts, why));
	json_object_set_new(counts, why, json_integer(before + 1));
	free(reason);
}

char *
run_state_left_out_line(const json_t *counts)
{
	struct buf b = {0};
	const char *reason;
	json_t *each, *all = (json_t *)(uintptr_t)counts;
	json_int_t n = 0;
	json_object_foreach(all, reason, each)
		n += json_integer_value(each);
	if (!n)
		return NULL;
	buf_addf(&b, "%" JSON_INTEGER_FORMAT " stale run%s left out:", n, n == 1 ? " is" : "s are");
	json_object_foreach(all, reason, each)
		buf_addf(&b, "%s %s (%" JSON_INTEGER_FORMAT ")", b.p[b.n - 1] == ':' ? "" : ",",
		    reason, json_integer_value(each));
	return b.p;
}

char *
run_state_missing(struct scan *s)
{
	bool required = span_is(scan_get(s, "required"), "true");
	if (!required || run_state_of(s) == STATE_CURRENT)
		return NULL;
	char *run = scan_string(s, "run"), *slash = run ? strrchr(run, '/') : NULL, *name = NULL;
	const char *file = slash ? slash + 1 : run;
	if (file)
		name = xasprintf("%.*s", (int)(strlen(file) -
		    (str_ends_with(file, ".jsonl") ? strlen(".jsonl") : 0)), file);
	free(run);
	return name;
}
