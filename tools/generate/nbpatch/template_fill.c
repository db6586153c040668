/* template_fill.c: a combination's values in a template: in the placeholders {name_value} of the
 * parameters cell or, if it has none, as assignments in a cell after it.
 */
#include "template_fill.h"
#include "literal.h"
#include "base/die.h"
#include "json/json_text.h"
#include "base/str.h"

/* ---- checking ---- */

/* Names that no variable can have. */
static const char *const keywords[] = {
	[LANG_PYTHON] = " False None True and as assert async await break class continue def del "
	    "elif else except finally for from global if import in is lambda nonlocal not or pass "
	    "raise return try while with yield ",
	[LANG_R] = " if else repeat while function for next break TRUE FALSE NULL Inf NaN NA "
	    "NA_integer_ NA_real_ NA_complex_ NA_character_ in ",
	[LANG_JULIA] = " baremodule begin break catch const continue do else elseif end export "
	    "false finally for function global if import let local macro module quote return "
	    "struct true try using while ",
};

static bool
is_keyword(enum language l, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = keywords[l]; (p = strstr(p, name)); p++)
		if (p[-1] == ' ' && p[n] == ' ')
			return true;
	return false;
}

static void
check_has_placeholder(const struct template *t, const char *param)
{
	bool commented = false;
	for (size_t i = 0; i < t->placeholders.n; i++) {
		const struct placeholder *p = &t->placeholders.list[i];
		if (strcmp(p->param, param) != 0)
			continue;
		if (!placeholder_is_comment(p))
			return;
		commented = true;
	}
	source_die_at(&t->source, t->cells, t->tagged,
	    "%s has no placeholder {%s_value} for the parameter '%s'%s",
	    template_cell_name(t, t->tagged), param, param,
	    commented ? " outside of comments" : "");
}

static void
check_placeholder(const struct template *t, const struct combination *c,
    const struct placeholder *p)
{
	json_t *v = json_object_get(c->params, p->param);
	struct buf b = {0};
	if (!v && (p->variable || placeholder_is_comment(p)))
		return;
	if (!v)
		source_die_at(&t->source, t->cells, t->tagged, "%s has the placeholder {%s_value}, "
		    "but the combination '%s' has no parameter '%s'",
		    template_cell_name(t, t->tagged), p->param, c->name, p->param);
	const char *fault = placeholder_add_value(&b, t->language, p, v);
	if (fault)
		die(ST_INPUT, "stdin:%lu:1: cannot write the parameter '%s' into %s: %s", c->line,
		    p->param, template_cell_name(t, t->tagged), fault);
	buf_free(&b);
}

void
xtemplate_check(const struct template *t, const struct combination *c)
{
	const char *param;
	json_t *v;
	json_object_foreach(c->params, param, v) {
		struct buf b = {0};
		const char *fault = literal_add(&b, t->language, v);
		size_t n = str_identifier(param);
		if (!n || param[n])
			die(ST_INPUT, "stdin:%lu:1: '%.80s' is not a parameter name", c->line,
			    param);
		if (!t->injects)
			check_has_placeholder(t, param);
		else if (is_keyword(t->language, param))
			die(ST_INPUT, "stdin:%lu:1: '%s' is a keyword of the notebook's language "
			    "and cannot be assigned: rename the parameter, or write {%s_value} in "
			    "the parameters cell", c->line, param, param);
		if (fault)
			die(ST_INPUT, "stdin:%lu:1: cannot write the parameter '%s': %s", c->line,
			    param, fault);
		buf_free(&b);
	}
	for (size_t i = 0; i < t->placeholders.n && !t->injects; i++)
		check_placeholder(t, c, &t->placeholders.list[i]);
}

/* ---- filling ---- */

/* The variable that a parameter sets: that of its name, or n_value for n if the cell has only
 * that. */
static void
add_variable(struct buf *b, const struct template *t, const char *param)
{
	char *full = xasprintf("%s_value", param);
	const json_t *names = t->placeholders.names;
	bool suffixed = !json_object_get(names, param) && json_object_get(names, full);
	buf_addf(b, "%s", suffixed ? full : param);
	free(full);
}

static void
add_assignments(struct buf *b, const struct template *t, const struct combination *c)
{
	const char *param;
	json_t *v;
	buf_addf(b, "# Parameters");
	json_object_foreach(c->params, param, v) {
		buf_addf(b, "\n");
		add_variable(b, t, param);
		buf_addf(b, " = ");
		literal_add(b, t->language, v);
	}
}

static void
add_code(struct buf *b, const struct template *t, const struct combination *c)
{
	size_t start = 0;
	for (size_t i = 0; i < t->placeholders.n; i++) {
		const struct placeholder *p = &t->placeholders.list[i];
		json_t *v = json_object_get(c->params, p->param);
		buf_add(b, t->code + start, p->start - start);
		start = v ? p->end : p->start;
		if (v)
			placeholder_add_value(b, t->language, p, v);
	}
	buf_add(b, t->code + start, strlen(t->code + start));
}

/* A multi-line string of a notebook: text, or a list of its lines. */
static json_t *
multiline_json(const struct buf *b, bool lines)
{
	if (!lines)
		return json_stringn(b->p, b->n);
	json_t *list = json_array();
	for (const char *p = b->p; *p;) {
		size_t n = strcspn(p, "\n");
		n += p[n] == '\n';
		json_array_append_new(list, json_stringn(p, n));
		p += n;
	}
	return list;
}

static void
add_metadata(struct buf *out, const struct combination *c)
{
	json_t *v = json_pack("{ss ss sO}", "usecase", c->usecase, "name", c->name,
	    "params", c->params);
	if (!v)
		die(ST_SYSTEM, "out of memory");
	json_text_add(out, v);
	json_decref(v);
}

static void
add_source(struct buf *out, const struct template *t, const struct combination *c)
{
	struct buf code = {0};
	if (t->injects)
		add_assignments(&code, t, c);
	else
		add_code(&code, t, c);
	json_t *v = multiline_json(&code, t->lines);
	if (!v)
		die(ST_SYSTEM, "out of memory");
	notebook_json_add(out, v, t->slots[SLOT_CODE].depth, NULL, 0);
	json_decref(v);
	buf_free(&code);
}

void
template_fill(const struct template *t, const struct combination *c, struct buf *out)
{
	bool code_first = t->slots[SLOT_CODE].end < t->slots[SLOT_METADATA].end;
	size_t start = 0;
	for (int i = 0; i < MAX_SLOTS; i++) {
		int slot = code_first ? MAX_SLOTS - 1 - i : i;
		if (!t->slots[slot].value)
			continue;
		buf_add(out, t->text.p + start, t->slots[slot].end - start);
		if (slot == SLOT_CODE)
			add_source(out, t, c);
		else
			add_metadata(out, c);
		start = t->slots[slot].end;
	}
	buf_add(out, t->text.p + start, t->text.n - start);
}
