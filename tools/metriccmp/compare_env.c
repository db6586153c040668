/* compare_env.c: how the environments of two labels differ, and whether they may. */
#include "compare_env.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/die.h"

enum { DIGEST_SHOWN = 12 };

/* ---- lists of names ---------------------------------------------------------------- */

static bool
is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = list; p && *p;) {
		size_t k = strcspn(p, ", ");
		if (k == n && strncmp(p, name, n) == 0)
			return true;
		p += k;
		p += strspn(p, ", ");
	}
	return false;
}

/* A package's normalized name: lower case, runs of - _ . as one dash. */
static char *
normalized_name(const char *name, size_t n)
{
	char *text = xmalloc(n + 1);
	size_t k = 0;
	for (size_t i = 0; i < n; i++) {
		bool mark = strchr("-_.", name[i]) != NULL;
		if (!mark || (k && text[k - 1] != '-'))
			text[k++] = mark ? '-' : (char)tolower((unsigned char)name[i]);
	}
	text[k] = '\0';
	return text;
}

static bool
is_required(const char *requirements, const char *package)
{
	for (const char *p = requirements ? requirements : ""; *p;) {
		p += strspn(p, ", ");
		size_t word = strcspn(p, " "), n = strcspn(p, " <>=!~;@[");
		char *name = normalized_name(p, n);
		bool same = n && strcmp(name, package) == 0;
		free(name);
		if (same)
			return true;
		p += word;
	}
	return false;
}

static bool
in_array(const json_t *list, const char *package)
{
	const json_t *item;
	size_t i;
	json_array_foreach(list, i, item) {
		const char *text = json_string_value(item);
		char *name = text ? normalized_name(text, strlen(text)) : NULL;
		bool same = name && strcmp(name, package) == 0;
		free(name);
		if (same)
			return true;
	}
	return false;
}

/* ---- differences ------------------------------------------------------------------- */

/* {value: count} as "a" or "a, b". */
static char *
values_text(const json_t *counts)
{
	struct buf b = {0};
	const char *value;
	json_t *n;
	json_object_foreach((json_t *)(uintptr_t)counts, value, n)
		buf_addf(&b, "%s%s", b.n ? ", " : "", value);
	return b.p ? b.p : xstrdup("unknown");
}

static void
append_difference(struct comparison *cmp, struct compare_difference d)
{
	cmp->difference = xrealloc(cmp->difference, (cmp->differences + 1) *
	    sizeof *cmp->difference);
	cmp->difference[cmp->differences++] = d;
	cmp->refused += !d.allowed;
}

/* "machine cores" is allowed by "machine". */
static bool
is_allowed(const char *list, const char *what)
{
	char *first = xstrdup(what);
	first[strcspn(first, " ")] = '\0';
	bool is = is_listed(list, "all") || is_listed(list, first) ||
	    (strcmp(first, "window") == 0 && is_listed(list, "browser")) ||
	    (strcmp(first, "setting") == 0 && is_listed(list, "settings")) ||
	    (strcmp(first, "files/") == 0 && is_listed(list, "files")) ||
	    (strcmp(first, "nbscope_version") == 0 && is_listed(list, "nbscope"));
	free(first);
	return is;
}

static bool
same_keys(const json_t *a, const json_t *b)
{
	const char *key;
	json_t *v;
	if (json_object_size(a) != json_object_size(b))
		return false;
	json_object_foreach((json_t *)(uintptr_t)a, key, v)
		if (!json_object_get(b, key))
			return false;
	return true;
}

static void
compare_members(struct comparison *cmp, size_t label, const char *allow)
{
	const struct result_label *x = &cmp->m->label[cmp->base], *y = &cmp->m->label[label];
	const char *what;
	json_t *of_x;
	json_object_foreach(x->env, what, of_x) {
		const json_t *of_y = json_object_get(y->env, what);
		/* The packages of two labels are compared by their lists. */
		if (!of_y || same_keys(of_x, of_y) || strcmp(what, "environment_id") == 0)
			continue;
		append_difference(cmp, (struct compare_difference){.what = xstrdup(what),
		    .base = values_text(of_x), .label_value = values_text(of_y), .label = label,
		    .allowed = is_allowed(allow, what)});
	}
}

/* ---- what the runs were made from ----------------------------------------------------- */

/* {value: count} of one setting, with the runs that do not have it. */
static json_t *
setting_values(const struct result_label *l, const char *name)
{
	json_t *counts = json_deep_copy(json_object_get(l->settings, name)), *n;
	const char *value;
	json_int_t left = (json_int_t)l->settings_runs;
	if (!counts)
		counts = json_object();
	json_object_foreach(counts, value, n)
		left -= json_integer_value(n);
	if (left > 0)
		json_object_set_new(counts, "unset", json_integer(left));
	return counts;
}

static void
compare_setting(struct comparison *cmp, size_t label, const char *name, const char *allow)
{
	json_t *of_x = setting_values(&cmp->m->label[cmp->base], name);
	json_t *of_y = setting_values(&cmp->m->label[label], name);
	if (!same_keys(of_x, of_y)) {
		bool files = strcmp(name, "files/") == 0;
		char *what = xasprintf("%s%s", files ? "" : "setting ", name);
		append_difference(cmp, (struct compare_difference){.what = what,
		    .base = values_text(of_x), .label_value = values_text(of_y), .label = label,
		    .allowed = is_allowed(allow, what)});
	}
	json_decref(of_x);
	json_decref(of_y);
}

static void
compare_settings_of(struct comparison *cmp, size_t label, const char *allow)
{
	const struct result_label *x = &cmp->m->label[cmp->base], *y = &cmp->m->label[label];
	const char *name;
	json_t *values;
	if (!x->settings_runs || !y->settings_runs)
		return;
	json_object_foreach(x->settings, name, values)
		compare_setting(cmp, label, name, allow);
	json_object_foreach(y->settings, name, values)
		if (!json_object_get(x->settings, name))
			compare_setting(cmp, label, name, allow);
}

/* Notebooks of the same name whose content is not: counted, and the first one named. */
static void
compare_notebooks(struct comparison *cmp, size_t label, const char *allow)
{
	json_t *of_base = json_object(), *differ = json_object();
	struct compare_difference d = {.label = label};
	const struct results *m = cmp->m;
	for (size_t i = 0; i < m->runs; i++)
		if (m->run[i].label == cmp->base && m->run[i].made_from)
			json_object_set_new(of_base, m->run[i].notebook,
			    json_string(m->run[i].made_from));
	for (size_t i = 0; i < m->runs; i++) {
		const struct result_run *r = &m->run[i];
		const char *base = json_string_value(json_object_get(of_base, r->notebook));
		if (r->label != label || !r->made_from || !base || strcmp(base, r->made_from) == 0)
			continue;
		if (!json_object_size(differ)) {
			d.what = xasprintf("notebook %s", strchr(r->notebook, '\n') + 1);
			d.base = xasprintf("%.*s", DIGEST_SHOWN, base);
			d.label_value = xasprintf("%.*s", DIGEST_SHOWN, r->made_from);
		}
		json_object_set_new(differ, r->notebook, json_true());
	}
	size_t n = json_object_size(differ);
	if (n > 1) {
		char *first = d.what;
		d.what = xasprintf("%s and %zu more", first, n - 1);
		free(first);
	}
	d.allowed = is_allowed(allow, "notebook");
	if (n)
		append_difference(cmp, d);
	json_decref(of_base);
	json_decref(differ);
}

/* ---- packages ------------------------------------------------------------------------ */

/* A package that only one side has is another set of packages, not another version: the
 * environment of a label with requirements holds only what these need. */
static bool
package_may_differ(const struct comparison *cmp, size_t label, const char *normalized,
    const struct compare_settings *s)
{
	return is_listed(s->allow, "all") || is_listed(s->allow, "packages") ||
	    is_listed(s->allow, normalized) || is_required(s->requirements, normalized) ||
	    in_array(cmp->m->label[cmp->base].named, normalized) ||
	    in_array(cmp->m->label[label].named, normalized);
}

static void
compare_package(struct comparison *cmp, size_t label, const char *name,
    const struct compare_settings *s)
{
	const struct result_label *x = &cmp->m->label[cmp->base], *y = &cmp->m->label[label];
	const char *of_x = json_string_value(json_object_get(x->packages, name));
	const char *of_y = json_string_value(json_object_get(y->packages, name));
	if (of_x && of_y && strcmp(of_x, of_y) == 0)
		return;
	char *normalized = normalized_name(name, strlen(name));
	append_difference(cmp, (struct compare_difference){.what = xasprintf("package %s", name),
	    .base = xstrdup(of_x ? of_x : "not installed"),
	    .label_value = xstrdup(of_y ? of_y : "not installed"), .label = label,
	    .allowed = !of_x || !of_y || package_may_differ(cmp, label, normalized, s)});
	free(normalized);
}

static void
compare_packages(struct comparison *cmp, size_t label, const struct compare_settings *s)
{
	json_t *x = cmp->m->label[cmp->base].packages, *y = cmp->m->label[label].packages;
	const char *name;
	json_t *version;
	if (!x || !y)
		return;
	json_object_foreach(x, name, version)
		compare_package(cmp, label, name, s);
	json_object_foreach(y, name, version)
		if (!json_object_get(x, name))
			compare_package(cmp, label, name, s);
}

void
compare_env(struct comparison *cmp, size_t label, const struct compare_settings *s)
{
	compare_members(cmp, label, s->allow);
	compare_notebooks(cmp, label, s->allow);
	compare_settings_of(cmp, label, s->allow);
	compare_packages(cmp, label, s);
}

/* What all runs of a label should have in common. */
static const struct {
	const char *member, *what, *allowed_by;
} common[] = {
	{"environment_id", "packages", "packages"},
	{"machine cores", "machine cores", "machine"},
	{"machine processor", "machine processor", "machine"},
	{"machine memory_bytes", "machine memory", "machine"},
};

void
compare_env_mixed(struct comparison *cmp, size_t label, const struct compare_settings *s)
{
	const struct result_label *l = &cmp->m->label[label];
	for (size_t k = 0; k < COUNT(common); k++) {
		json_t *counts = json_object_get(l->env, common[k].member), *count;
		const char *value;
		struct buf runs[2] = {{0}};	/* with the first value, with the others */
		size_t i = 0;
		if (json_object_size(counts) < 2)
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
		    .allowed = is_allowed(s->allow, common[k].allowed_by)});
	}
}
