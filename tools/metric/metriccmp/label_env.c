/* label_env.c: the environment, the settings and the order in which labels were measured. */
#include "label_env.h"
#include "base/die.h"
#include "json/json_parse.h"
#include "json/json_text.h"
#include "run/run_state.h"

enum { DIGEST_SHOWN = 12 };

static void
count_text(struct result_label *l, const char *what, const char *value)
{
	json_t *counts = json_object_get(l->env, what);
	if (!counts)
		json_object_set_new(l->env, what, counts = json_object());
	json_int_t before = json_integer_value(json_object_get(counts, value));
	json_object_set_new(counts, value, json_integer(before + 1));
}

static void
count_value(struct result_label *l, const char *what, struct span value)
{
	if (span_null(value))
		return;
	json_t *v = span_json(value);
	char *text = json_is_string(v) ? json_parse_string(v) : json_text_of(v);
	count_text(l, what, text);
	free(text);
	json_decref(v);
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
	count_text(l, what, digest);
	count_text(l, ENV_RUNS, "settings");
	count_text(l, ENV_RUNS, "files");
	count_value(l, "files/", scan_get(&made, "files"));
	count_value(l, "interactions.jsonl", scan_get(&made, "interactions"));
	scan_members(&settings, scan_get(&made, "settings"));
	for (size_t i = 0; i < settings.n; i++) {
		struct span key = settings.m[i].key;
		size_t k = 0;
		free(what);
		what = xasprintf("setting %.*s", (int)key.n, key.p);
		while (k < COUNT(elsewhere) && strcmp(what, elsewhere[k]) != 0)
			k++;
		if (k == COUNT(elsewhere))
			count_value(l, what, settings.m[i].value);
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
	static const char *const members[] = {"browser", "window", "jupyterlab", "kernel",
		"nbscope_version", "environment_id"};
	static const char *const of_machine[] = {"machine cores", "machine host",
		"machine processor", "machine microcode", "machine memory_bytes", "machine os"};
	static struct scan machine;
	bool known = true;
	struct result_label *l = &m->label[label];
	read_made_from(l, m->run[m->runs - 1].notebook, scan_get(r->members, "made_from"));
	for (size_t i = 0; i < COUNT(members); i++)
		count_value(l, members[i], member_of(r, members[i]));
	scan_members(&machine, scan_get(r->members, "machine"));
	for (size_t i = 0; i < COUNT(of_machine); i++) {
		struct span value = scan_get(&machine, strchr(of_machine[i], ' ') + 1);
		count_value(l, of_machine[i], value);
		known &= !span_null(value);
	}
	if (!known)
		count_text(l, ENV_RUNS, "host");
}

/* The last record counts: the packages that are installed now were profiled last. */
static void
read_environment(struct result_label *l, struct scan *s)
{
	static const char package[] = "package ";
	json_t *packages = span_json(scan_get(s, "packages")), *version;
	const char *name;
	void *next;
	json_decref(l->named);
	l->named = span_json(scan_get(s, "named"));
	json_object_foreach_safe(l->env, next, name, version)
		if (strncmp(name, package, strlen(package)) == 0)
			json_object_del(l->env, name);
	json_object_del(json_object_get(l->env, ENV_RUNS), "packages");
	if (json_is_object(packages))
		count_text(l, ENV_RUNS, "packages");
	json_object_foreach(packages, name, version) {
		char *what = xasprintf("%s%s", package, name);
		count_text(l, what, json_string_value(version));
		free(what);
	}
	json_decref(packages);
	count_value(l, "python", scan_get(s, "python"));
}

static json_t *
interleaving_of(struct scan *s)
{
	static const char *const members[] = {"a", "b", "seed", "order", "planned", "looks"};
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
	char *missing = run_state_of(s) == STATE_MISSING ? run_state_missing(s) : NULL;
	if (missing && !json_object_get(m->missing, name))
		json_object_set_new(m->missing, name, json_array());
	if (missing)
		json_array_append_new(json_object_get(m->missing, name), json_string(missing));
	free(missing);
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
