/* abdiffer.c: what two labels' environments differ in, and whether it is meant. */
#include "compare/compare_test.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists of names -------------------------------------------------------------------- */

static bool
listed(const char *list, const char *name)
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

/* A package's name as indexes write it: lower case, runs of - _ . as one dash. */
static char *
normal_name(const char *name, size_t n)
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
required(const char *with, const char *package)
{
	for (const char *p = with ? with : ""; *p;) {
		p += strspn(p, ", ");
		size_t word = strcspn(p, " "), n = strcspn(p, " <>=!~;@[");
		char *name = normal_name(p, n);
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
		char *name = text ? normal_name(text, strlen(text)) : NULL;
		bool same = name && strcmp(name, package) == 0;
		free(name);
		if (same)
			return true;
	}
	return false;
}

/* ---- what differs besides ------------------------------------------------------------------ */

/* {value: count} as "a" or "a, b". */
static char *
values_text(const json_t *counts)
{
	struct buf b = {0};
	const char *value;
	json_t *n;
	json_object_foreach((json_t *)(uintptr_t)counts, value, n)
		buf_addf(&b, "%s%s", b.n ? ", " : "", value);
	return b.p ? b.p : xstrdup("not known");
}

static void
add_difference(struct ab *ab, struct ab_difference d)
{
	ab->difference = xrealloc(ab->difference, (ab->differences + 1) * sizeof *ab->difference);
	ab->difference[ab->differences++] = d;
	ab->refused += !d.meant;
}

/* "machine cores" is told by "machine". */
static bool
allowed(const char *list, const char *what)
{
	char *first = xstrdup(what);
	first[strcspn(first, " ")] = '\0';
	bool is = listed(list, "all") || listed(list, first) || (strcmp(first, "window") == 0 && listed(list, "browser")) ||
	    (strcmp(first, "nbscope_version") == 0 && listed(list, "nbscope"));
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
diff_env(struct ab *ab, size_t label, const char *allow)
{
	const struct measured_label *x = &ab->m->label[ab->base], *y = &ab->m->label[label];
	const char *what;
	json_t *of_x;
	json_object_foreach(x->env, what, of_x) {
		const json_t *of_y = json_object_get(y->env, what);
		if (!of_y || same_keys(of_x, of_y))
			continue;
		add_difference(ab, (struct ab_difference){xstrdup(what), values_text(of_x), values_text(of_y), label, allowed(allow, what)});
	}
}

static void
diff_package(struct ab *ab, size_t label, const char *name, const struct ab_settings *s)
{
	const struct measured_label *x = &ab->m->label[ab->base], *y = &ab->m->label[label];
	const char *of_x = json_string_value(json_object_get(x->packages, name)), *of_y = json_string_value(json_object_get(y->packages, name));
	if (of_x && of_y && strcmp(of_x, of_y) == 0)
		return;
	char *normal = normal_name(name, strlen(name));
	/* What one side does not have is another set, not another version: with WITH a
	 * label's environment holds only what that needs. */
	bool meant = !of_x || !of_y || listed(s->allow, "all") || listed(s->allow, "packages") || listed(s->allow, normal) || required(s->with, normal) ||
	    in_array(x->named, normal) || in_array(y->named, normal);
	add_difference(ab, (struct ab_difference){xasprintf("package %s", name), xstrdup(of_x ? of_x : "not there"),
	    xstrdup(of_y ? of_y : "not there"), label, meant});
	free(normal);
}

static void
diff_packages(struct ab *ab, size_t label, const struct ab_settings *s)
{
	json_t *x = ab->m->label[ab->base].packages, *y = ab->m->label[label].packages;
	const char *name;
	json_t *version;
	if (!x || !y)
		return;
	json_object_foreach(x, name, version)
		diff_package(ab, label, name, s);
	json_object_foreach(y, name, version)
		if (!json_object_get(x, name))
			diff_package(ab, label, name, s);
}

void
ab_differ(struct ab *ab, size_t label, const struct ab_settings *s)
{
	diff_env(ab, label, s->allow);
	diff_packages(ab, label, s);
}
