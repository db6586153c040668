/* label_env.c: the environment, the settings and the order in which labels were measured. */
#include "label_env.h"
#include "base/die.h"
#include "json/json_text.h"
#include "run/run_state.h"

#include <stdlib.h>
#include <string.h>

enum { DIGEST_SHOWN = 12 };

static json_t *
object_at(json_t *in, const char *key)
{
	json_t *object = json_object_get(in, key);
	if (!object)
		json_object_set_new(in, key, object = json_object());
	return object;
}

static void
count_text(struct result_label *l, const char *kind, const char *name, const char *value)
{
	json_t *counts = object_at(object_at(l->env, kind), name);
	json_int_t before = json_integer_value(json_object_get(counts, value));
	json_object_set_new(counts, value, json_integer(before + 1));
}

static void
count_value(struct result_label *l, const char *kind, const char *name, struct span value)
{
	if (span_null(value))
		return;
	char *text = span_string(value);
	if (!text) {
		json_t *v = span_json(value);
		text = json_text_of(v);
		json_decref(v);
	}
	count_text(l, kind, name, text);
	free(text);
}

/* Counts how the run was measured; what it shows of itself, such as its browser, is counted from
 * its record. */
static void
read_made_from(struct result_label *l, const char *notebook, struct span object)
{
	static const char *const elsewhere[] = {"setting kernel", "setting browser",
		"setting window", "setting server", "setting venv"};
	static struct scan made, settings;
	scan_members(&made, object);
	char *digest = span_string(scan_get(&made, "notebook"));
	if (!digest)
		return;
	digest[strnlen(digest, DIGEST_SHOWN)] = '\0';
	char *what = xasprintf("notebook %s", strchr(notebook, '\n') + 1);
	count_text(l, "notebook", what, digest);
	count_text(l, "settings", ENV_RUNS, "");
	count_text(l, "files", ENV_RUNS, "");
	count_value(l, "files", "files/", scan_get(&made, "files"));
	scan_members(&settings, scan_get(&made, "settings"));
	for (size_t i = 0; i < settings.n; i++) {
		struct span key = settings.m[i].key;
		size_t k = 0;
		free(what);
		what = xasprintf("setting %.*s", (int)key.n, key.p);
		while (k < COUNT(elsewhere) && strcmp(what, elsewhere[k]) != 0)
			k++;
		if (k == COUNT(elsewhere))
			count_value(l, "settings", what, settings.m[i].value);
	}
	free(what);
	free(digest);
}

/* What the run ran in; one without a browser names none. */
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
	static const struct { const char *kind, *member; } members[] = {
		{"browser", "browser"}, {"browser", "window"}, {"jupyterlab", "jupyterlab"},
		{"kernel", "kernel"}, {"nbscope", "nbscope_version"},
		{"environment", "environment_id"}};
	static const char *const of_machine[] = {"machine cores", "machine processor",
		"machine memory_bytes", "machine os", "machine host"};
	static struct scan machine;
	struct result_label *l = &m->label[label];
	read_made_from(l, m->run[m->runs - 1].notebook, scan_get(r->members, "made_from"));
	for (size_t i = 0; i < COUNT(members); i++)
		count_value(l, members[i].kind, members[i].member,
		    member_of(r, members[i].member));
	scan_members(&machine, scan_get(r->members, "machine"));
	for (size_t i = 0; i < COUNT(of_machine); i++)
		count_value(l, "machine", of_machine[i],
		    scan_get(&machine, strchr(of_machine[i], ' ') + 1));
}

/* The last record counts: the packages that are installed now were profiled last. */
static void
read_environment(struct result_label *l, struct scan *s)
{
	json_t *packages = span_json(scan_get(s, "packages")), *version;
	const char *name;
	json_decref(l->named);
	l->named = span_json(scan_get(s, "named"));
	json_object_del(l->env, "packages");
	if (json_is_object(packages))
		count_text(l, "packages", ENV_RUNS, "");
	json_object_foreach(packages, name, version) {
		char *what = xasprintf("package %s", name);
		count_text(l, "packages", what, json_string_value(version));
		free(what);
	}
	json_decref(packages);
	count_value(l, "python", "python", scan_get(s, "python"));
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
