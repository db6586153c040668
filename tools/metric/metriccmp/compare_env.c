/* compare_env.c: how the environments of two labels differ, and whether they may. */
#include "compare_env.h"
#include "base/die.h"
#include "json/json_value.h"
#include "label_env.h"

#include <ctype.h>

/* What differs, in this order: the word that allows it, and how its names begin.  absent: the value
 * of runs without one, which do not differ where it is NULL. */
static const struct env_kind {
	const char *word, *starts, *also, *absent;
} kinds[] = {
	{"browser", "browser", "window"}, {"jupyterlab", "jupyterlab"}, {"kernel", "kernel"},
	{"nbscope", "nbscope_version"}, {"machine", "machine "}, {"python", "python"},
	{"notebook", "notebook "}, {"settings", "setting ", .absent = "unset"},
	{"files", "files/", "interactions.jsonl", "unset"},
	{"packages", "package ", .absent = "not installed"},
};

static bool
is_of_kind(const char *what, const struct env_kind *k)
{
	return strncmp(what, k->starts, strlen(k->starts)) == 0 ||
	    (k->also && strcmp(what, k->also) == 0);
}

/* ---- what may differ --------------------------------------------------------------- */

/* "package NAME" with a normalized name: lower case, runs of - _ . as one dash. */
static char *
package_text(const char *name)
{
	char *text = xasprintf("package %s", name);
	size_t k = strlen("package ");
	for (; *name && !strchr(" <>=!~;@[", *name); name++) {
		bool mark = strchr("-_.", *name) != NULL;
		if (!mark || text[k - 1] != '-')
			text[k++] = mark ? '-' : (char)tolower((unsigned char)*name);
	}
	text[k] = '\0';
	return text;
}

static void
allow_package(json_t *allowed, const char *name)
{
	char *text = package_text(name);
	json_object_set_new(allowed, text, json_true());
	free(text);
}

/* {text: true} of the words of --allow, each of which may be a package, of the packages of the
 * requirements, and of those that one of the labels names. */
static json_t *
read_allowed(const struct comparison *cmp, size_t label, const struct compare_settings *s)
{
	json_t *allowed = json_object(), *name;
	const json_t *named[] = {cmp->m->label[cmp->base].named, cmp->m->label[label].named};
	char *words = xstrdup(s->requirements ? s->requirements : ""), *rest = words, *word;
	for (size_t i = 0; i < s->allow.n; i++) {
		json_object_set_new(allowed, s->allow.v[i], json_true());
		allow_package(allowed, s->allow.v[i]);
	}
	while ((word = strsep(&rest, " ")))
		allow_package(allowed, word + strspn(word, ","));
	free(words);
	for (size_t i = 0, k; i < COUNT(named); i++)
		json_array_foreach(named[i], k, name)
			allow_package(allowed, json_string_value(name));
	return allowed;
}

static bool
is_allowed(const json_t *allowed, const char *word)
{
	return json_object_get(allowed, "all") || json_object_get(allowed, word);
}

/* A package that only one side has is another set of packages, not another version: the
 * environment of a label with requirements holds only what these need. */
static bool
package_may_differ(const json_t *allowed, const char *what, const json_t *x, const json_t *y,
    const char *absent)
{
	char *text = package_text(strchr(what, ' ') + 1);
	bool may = json_object_get(x, absent) || json_object_get(y, absent) ||
	    json_object_get(allowed, text);
	free(text);
	return may;
}

/* ---- machines ---------------------------------------------------------------------- */

#define HOST "machine host"
#define MEMORY "machine memory_bytes"

static bool
is_same_memory(const json_t *x, const json_t *y)
{
	const json_t *sides[] = {x, y}, *v;
	double least = INFINITY, most = 0;
	const char *bytes;
	for (size_t i = 0; i < COUNT(sides); i++)
		json_object_foreach((json_t *)(uintptr_t)sides[i], bytes, v) {
			least = fmin(least, strtod(bytes, NULL));
			most = fmax(most, strtod(bytes, NULL));
		}
	return least >= RESULTS_SAME_MEMORY * most;
}

/* Whether all runs say what makes hosts alike: where that is the same, their names do not count. */
static bool
is_hardware_known(const struct result_label *l)
{
	return !json_object_get(json_object_get(l->env, ENV_RUNS), "host");
}

/* ---- differences ------------------------------------------------------------------- */

static void
append_difference(struct comparison *cmp, struct compare_difference d)
{
	cmp->difference = xgrow(cmp->difference, cmp->differences, sizeof *cmp->difference);
	cmp->difference[cmp->differences++] = d;
	cmp->refused += !d.allowed;
}

/* {value: true} of the values in the runs of a label; empty: unknown. */
static json_t *
values_of(const struct result_label *l, const char *what, const struct env_kind *k)
{
	json_t *values = json_object(), *n;
	json_int_t left = json_integer_value(json_object_get(json_object_get(l->env, ENV_RUNS),
	    k->word));
	const char *value;
	json_object_foreach(json_object_get(l->env, what), value, n) {
		json_object_set_new(values, value, json_true());
		left -= json_integer_value(n);
	}
	if (k->absent && left > 0)
		json_object_set_new(values, k->absent, json_true());
	return values;
}

static void
compare_kind(struct comparison *cmp, size_t label, const struct env_kind *k, const json_t *allowed)
{
	const struct result_label *x = &cmp->m->label[cmp->base], *y = &cmp->m->label[label];
	json_t *all = json_object(), *v;
	const char *what;
	json_object_update(all, x->env);
	json_object_update(all, y->env);
	json_object_foreach(all, what, v) {
		bool is_host = strcmp(what, HOST) == 0;
		if (!is_of_kind(what, k) ||
		    (is_host && is_hardware_known(x) && is_hardware_known(y)))
			continue;
		json_t *of_x = values_of(x, what, k), *of_y = values_of(y, what, k);
		bool known = json_object_size(of_x) && json_object_size(of_y);
		bool alike = json_equal(of_x, of_y) ||
		    (strcmp(what, MEMORY) == 0 && is_same_memory(of_x, of_y));
		if (known && !alike)
			append_difference(cmp, (struct compare_difference){.what = xstrdup(what),
			    .base = json_value_keys(of_x, ", "),
			    .label_value = json_value_keys(of_y, ", "),
			    .label = label, .word = is_host ? "host" : k->word,
			    .allowed = is_allowed(allowed, k->word) ||
			    (is_host && is_allowed(allowed, "host")) ||
			    (strcmp(k->word, "packages") == 0 &&
			    package_may_differ(allowed, what, of_x, of_y, k->absent))});
		json_decref(of_x);
		json_decref(of_y);
	}
	json_decref(all);
}

/* Makes one of the notebooks that differ, from the difference `from` on; the first is named. */
static void
join_notebooks(struct comparison *cmp, size_t from)
{
	size_t n = cmp->differences - from;
	if (n < 2)
		return;
	struct compare_difference *d = &cmp->difference[from];
	char *first = d->what;
	d->what = xasprintf("%s and %zu more", first, n - 1);
	free(first);
	cmp->differences = from + 1;
	cmp->refused -= d->allowed ? 0 : n - 1;
}

void
compare_env(struct comparison *cmp, size_t label, const struct compare_settings *s)
{
	json_t *allowed = read_allowed(cmp, label, s);
	for (size_t i = 0; i < COUNT(kinds); i++) {
		size_t from = cmp->differences;
		compare_kind(cmp, label, &kinds[i], allowed);
		if (strcmp(kinds[i].word, "notebook") == 0)
			join_notebooks(cmp, from);
	}
	json_decref(allowed);
}

/* What all runs of a label should have in common. */
static const struct {
	const char *member, *what, *allowed_by;
} common[] = {
	{"environment_id", "packages", "packages"},
	{"machine cores", "machine cores", "machine"},
	{"machine processor", "machine processor", "machine"},
	{MEMORY, "machine memory", "machine"},
};

void
compare_env_mixed(struct comparison *cmp, size_t label, const struct compare_settings *s)
{
	const struct result_label *l = &cmp->m->label[label];
	json_t *allowed = read_allowed(cmp, label, s);
	for (size_t k = 0; k < COUNT(common); k++) {
		json_t *counts = json_object_get(l->env, common[k].member), *count;
		const char *value;
		struct buf runs[2] = {{0}};	/* with the first value, with the others */
		size_t i = 0;
		if (json_object_size(counts) < 2 ||
		    (strcmp(common[k].member, MEMORY) == 0 && is_same_memory(counts, counts)))
			continue;
		json_object_foreach(counts, value, count) {
			struct buf *b = &runs[i++ > 0];
			json_int_t n = json_integer_value(count);
			buf_addf(b, "%s%" JSON_INTEGER_FORMAT " run%s", b->n ? ", " : "", n,
			    n == 1 ? "" : "s");
		}
		append_difference(cmp, (struct compare_difference){.what = xasprintf(
		    "%s within label '%s'", common[k].what, l->name), .base = runs[0].p,
		    .label_value = runs[1].p, .label = label, .mixed = common[k].what,
		    .word = common[k].allowed_by,
		    .allowed = is_allowed(allowed, common[k].allowed_by)});
	}
	json_decref(allowed);
}
