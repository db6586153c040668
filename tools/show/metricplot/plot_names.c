/* plot_names.c: the names in a figure, and how those that are too long are shown. */
#include "plot_names.h"
#include "base/buf.h"
#include "base/die.h"
#include "figure/figure_theme.h"
#include "figure_template.h"
#include "plot_kind.h"
#include "text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_PX = 30 };
#define NAME_EM 0.54	/* of a name that has to be short */
#define MAX_NAME 0.36	/* of the figure's width */
/* The label before "  (12, 3.4 %)". */
#define NAME "split(datum.label, '  (')[0]"

/* ---- short names ------------------------------------------------------------------------ */

static size_t
letters_of(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* "mode / side" of "mode=png side=1000"; NULL: another name. */
static char *
keys_of(const char *name)
{
	struct buf b = {0};
	for (const char *at = name; at; at = strchr(at, ' ')) {
		at += *at == ' ';
		size_t n = strcspn(at, "= ");
		if (at[n] == '=' && n)
			buf_addf(&b, "%s%.*s", b.n ? " / " : "", (int)n, at);
		else if (!b.n)
			return NULL;
	}
	return b.p;
}

/* The bytes at the beginning or end that both names share. */
static size_t
shared_bytes(const char *a, const char *b, bool at_end)
{
	size_t n = 0, la = strlen(a), lb = strlen(b);
	while (n < la && n < lb && (at_end ? a[la - 1 - n] == b[lb - 1 - n] : a[n] == b[n]))
		n++;
	return n;
}

/* Letters of whole words that all long names share, but of the nearest word: it says what the rest
 * is. */
static size_t
omitted_letters(const char *name, size_t shared, bool at_end)
{
	size_t all = strlen(name), words = 0;
	for (; shared; shared--)
		if (strchr(" -_./", at_end ? name[all - shared] : name[shared - 1]) &&
		    ++words == 2)
			break;
	char *part = xasprintf("%.*s", (int)shared, at_end ? name + all - shared : name);
	size_t letters = letters_of(part);
	free(part);
	return letters;
}

/* A Vega expression that shortens those of the names, the values of datum.label, that have more
 * letters than `most`: to the values of "mode=png side=1000", where the first is of that form
 * (*keys, which the caller frees, is "mode / side"; else NULL), or without the words that they
 * share at their beginning and end, and in its middle.  The caller's. */
static char *
short_name(const json_t *names, size_t most, char **keys)
{
	const char *first = NULL;
	size_t head = SIZE_MAX, tail = SIZE_MAX, i;
	json_t *text;
	json_array_foreach((json_t *)names, i, text) {
		const char *name = json_string_value(text);
		if (letters_of(name) <= most)
			continue;
		size_t start = first ? shared_bytes(first, name, false) : head;
		size_t end = first ? shared_bytes(first, name, true) : tail;
		head = start < head ? start : head;
		tail = end < tail ? end : tail;
		first = first ? first : name;
	}
	*keys = first ? keys_of(first) : NULL;
	head = head != SIZE_MAX ? omitted_letters(first, head, false) : 0;
	tail = tail != SIZE_MAX ? omitted_letters(first, tail, true) : 0;
	char *rest = *keys ? xstrdup("slice(replace(" NAME ", /(^| )[^ =]+=/g, ' / '), 3)") :
	    xasprintf("'%s' + slice(" NAME ", %zu, length(" NAME ") - %zu) + '%s'",
		head ? "…" : "", head, tail, tail ? "…" : "");
	char *all = xasprintf("(length(" NAME ") <= %zu ? " NAME " : truncate(%s, %zu, 'center', "
	    "'…')) + slice(datum.label, length(" NAME "))", most, rest, most);
	free(rest);
	return all;
}

static double
widest_px(const json_t *texts)
{
	size_t i, most = 0, letters;
	json_t *text;
	json_array_foreach((json_t *)texts, i, text) {
		letters = letters_of(json_string_value(text));
		most = letters > most ? letters : most;
	}
	return (double)most * PLOT_LETTER_EM * figure_theme_px("text");
}

void
plot_names_shorten(struct plotting *p)
{
	char *keys;
	double most = fmin(p->width * MAX_NAME, plot_kind_number(p->kind, "layout", "names",
	    INFINITY));
	json_t *rest = json_array();
	p->labels = json_array();
	for (size_t i = 0; i < p->n_shown; i++)
		json_array_append(p->labels, json_array_get(p->names, p->shown[i]));
	if (p->n_rest)
		json_array_append_new(rest, json_sprintf("%zu other%s", p->n_rest,
		    text_plural(p->n_rest)));
	p->names_px = fmax(fmin(widest_px(p->labels), most), widest_px(rest));
	p->short_name = short_name(p->labels, (size_t)(most / NAME_EM /
	    figure_theme_px("text")), &keys);
	if (keys)
		plot_note(p, "Names: %s.", keys);
	json_array_extend(p->labels, rest);
	json_decref(rest);
	free(keys);
}

/* ---- names of scales ------------------------------------------------------------------- */

static void
set_list(json_t *values, const char *name, const char *columns, double width, json_t *texts)
{
	json_object_set_new(values, name, texts);
	json_object_set_new(values, columns, json_integer((json_int_t)fmax(1, floor(width /
	    (widest_px(texts) + KEY_PX)))));
}

/* Colours of the theme's ramp, at equal distances; that of what is unknown is grey. */
static void
set_ramp(json_t *values, const json_t *names)
{
	const json_t *ramp = json_object_get(figure_theme_part("scales"), "ramp");
	json_t *colours = json_array(), *name;
	size_t i, n = json_array_size(names);
	double most = (double)json_array_size(ramp) - 1;
	json_array_foreach((json_t *)names, i, name) {
		double at = n < 2 ? 0.2 : 0.92 * (double)i / (double)(n - 1);
		if (strcmp(json_string_value(name), "unknown") == 0)
			json_array_append_new(colours, figure_theme_value("missing"));
		else
			json_array_append(colours, json_array_get(ramp, (size_t)round(at * most)));
	}
	json_object_set_new(values, "ramp_colours", colours);
}

void
plot_names_set(struct plotting *p, const struct pane *pane, json_t *values)
{
	json_t *groups = json_array(), *keys = json_array(), *titles = json_array();
	json_t *colours = json_array();
	for (size_t i = pane->from; i < pane->to; i++)
		json_array_append(groups, json_array_get(p->labels, i));
	for (size_t i = 0; p->key && i < p->keys.n; i++) {
		char *key = table_group_key(&p->keys, i, 0);
		if (key || p->plan->categories.n)
			json_array_append_new(keys, figure_text(key ? key : "unknown"));
		free(key);
	}
	for (size_t i = 0; !p->key && i < p->plan->categories.n; i++)
		json_array_append_new(keys, figure_text(p->plan->categories.v[i].name));
	for (size_t k = 0; k < p->n_of; k++) {
		const struct measure *m = &p->of[k];
		char *title = plot_measure_name(m);
		json_array_append_new(titles, figure_text(title));
		free(title);
		if (!m->light)
			continue;
		json_array_append_new(colours, figure_theme_two_colours(m->light, m->dark));
		figure_set_text(p->dark, m->light, m->dark);
	}
	set_list(values, "names", "name_columns", p->width, groups);
	set_list(values, "titles", "title_columns", p->width, titles);
	set_list(values, "keys", "key_columns", p->width, keys);
	json_object_set_new(values, "title_colours", colours);
	set_ramp(values, keys);
}
