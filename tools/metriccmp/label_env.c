/* label_env.c: the environment, the settings and the order in which labels were measured. */
#include "label_env.h"
#include "base/buf.h"
#include "base/die.h"
#include "json/json_text.h"
#include "run/run_state.h"

#include <stdlib.h>
#include <string.h>

/* counts is {name: {value: number of runs}}. */
static void
count_value(json_t *counts_of, const char *name, struct span value)
{
	if (span_null(value))
		return;
	char *text = span_string(value);
	if (!text) {
		json_t *v = span_json(value);
		text = json_text_of(v);
		json_decref(v);
	}
	json_t *counts = json_object_get(counts_of, name);
	if (!counts)
		json_object_set_new(counts_of, name, counts = json_object());
	json_int_t before = json_integer_value(json_object_get(counts, text));
	json_object_set_new(counts, text, json_integer(before + 1));
	free(text);
}

/* How it was measured; what a run shows of itself, such as its browser, is compared instead. */
static char *
read_made_from(struct result_label *l, struct span object)
{
	static const char *const elsewhere[] = {"kernel", "browser", "window", "server", "venv"};
	static struct scan made, settings;
	struct buf name = {0};
	scan_members(&made, object);
	struct span notebook = scan_get(&made, "notebook"), files = scan_get(&made, "files");
	if (span_null(notebook))
		return NULL;
	scan_members(&settings, scan_get(&made, "settings"));
	for (size_t i = 0; i < settings.n; i++) {
		struct span key = settings.m[i].key;
		size_t k = 0;
		name.n = 0;
		buf_addf(&name, "%.*s", (int)key.n, key.p);
		while (k < COUNT(elsewhere) && strcmp(elsewhere[k], name.p) != 0)
			k++;
		if (k == COUNT(elsewhere))
			count_value(l->settings, name.p, settings.m[i].value);
	}
	buf_free(&name);
	count_value(l->settings, "files/", files);
	l->settings_runs++;
	return span_string(notebook);
}

/* What it ran in; a run without a browser names none. */
static struct span
member_of(const struct metrics_record *r, const char *name)
{
	static const char none[] = "\"none (kernelrun)\"";
	struct span value = scan_get(r->members, name), marks = scan_get(r->members, "marks");
	bool no_browser = strcmp(name, "browser") == 0 && span_null(value) &&
	    !span_null(marks) && span_lists(marks, "no_browser");
	return no_browser ? (struct span){none, sizeof none - 1} : value;
}

void
label_env_run(struct results *m, const struct metrics_record *r, size_t label)
{
	static const char *const members[] = {"browser", "window", "jupyterlab", "kernel",
		"nbscope_version", "environment_id"};
	static const char *const of_machine[] = {"cores", "processor", "memory_bytes", "os",
		"host"};
	static struct scan machine;
	struct result_label *l = &m->label[label];
	m->run[m->runs - 1].made_from = read_made_from(l, scan_get(r->members, "made_from"));
	for (size_t i = 0; i < COUNT(members); i++)
		count_value(l->env, members[i], member_of(r, members[i]));
	scan_members(&machine, scan_get(r->members, "machine"));
	for (size_t i = 0; i < COUNT(of_machine); i++) {
		char *name = xasprintf("machine %s", of_machine[i]);
		count_value(l->env, name, scan_get(&machine, of_machine[i]));
		free(name);
	}
}

/* The last record counts: the packages that are installed now were profiled last. */
static void
read_environment(struct result_label *l, struct scan *s)
{
	json_decref(l->packages);
	json_decref(l->named);
	l->packages = span_json(scan_get(s, "packages"));
	l->named = span_json(scan_get(s, "named"));
	if (!json_is_object(l->packages)) {
		json_decref(l->packages);
		l->packages = NULL;
	}
	count_value(l->env, "python", scan_get(s, "python"));
}

static json_t *
interleaving_of(struct scan *s)
{
	static const char *const members[] = {"a", "b", "seed", "order"};
	json_t *record = json_object();
	for (size_t i = 0; i < COUNT(members); i++)
		if (scan_get(s, members[i]).p)
			json_object_set_new(record, members[i], span_json(scan_get(s, members[i])));
	return record;
}

static void
read_run_state(struct results *m, struct scan *s, const struct lines *in)
{
	char *name = results_label_name(m, s, in);
	json_t *reasons = json_object_get(m->left_out, name);
	if (!reasons)
		json_object_set_new(m->left_out, name, reasons = json_object());
	run_state_add_left_out(reasons, s);
	free(name);
}

void
label_env_other(struct results *m, struct scan *s, const struct lines *in)
{
	if (scan_type_is(s, "environment")) {
		size_t label = results_label_of(m, s, in);	/* it may move all labels */
		read_environment(&m->label[label], s);
	} else if (run_state_is_record(s)) {
		read_run_state(m, s, in);
	} else if (scan_type_is(s, "interleaving")) {
		json_array_append_new(m->orders, interleaving_of(s));
	}
}
