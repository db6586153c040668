/* nbexpand: the combinations of a parameter file, one record a line.
 * In:  a JSON or YAML file.   Out: `combination` records, in the file's order.
 * Every value's text is made once; a line is a few copies, and only what
 * follows the first value that changed is copied again.
 */
#include "generate.h"

#include <stdlib.h>
#include <string.h>

static const char *usecase_name;
static struct where where;
static long limit = -1, sample = -1, seed;

static void
add_where(const char *text)
{
	xadd_where(&where, text);
}

static struct opt opts[] = {
	{'u', "usecase", OPT_STRING, &usecase_name, 0, 0, "NAME", "the use case's name (default: FILE's folder)"},
	{'w', "where", OPT_CALL, NULL, 0, 0, "CONDITIONS", "keep what meets them all: 'a=1,2 b<=3'"},
	{'n', "limit", OPT_INT, &limit, 0, 9e18, "N", "write at most N"},
	{'s', "sample", OPT_INT, &sample, 0, 10000000, "N", "write N drawn at random, in the file's order"},
	{0, "seed", OPT_INT, &seed, 0, 9e18, "S", "of --sample (default 0)"},
	{0},
};
static const struct usage usage = {
	"nbexpand", "[options] FILE", "Writes the combinations of a parameter file, one record a line.", opts,
};

/* ---- one line ---- */

/* What stands in the two texts before the value of an axis. */
struct part {
	size_t name_n, json_n;
	size_t rough;	/* values so far that a plain name cannot have */
};
struct writer {
	struct space *space;
	const char *usecase;
	struct walk walk;
	struct part *parts;	/* one an axis, and one more */
	uint64_t *met;		/* after each part: the patterns still met */
	struct buf head, name, json, line;
	long left;		/* lines that --limit allows; below 0: any number */
};

static void
add_row(struct buf *name, struct buf *json, const struct row *r)
{
	if (json->n)
		buf_add(json, ",", 1);
	buf_add(json, r->json, r->json_n);
	buf_add(name, r->name, r->name_n);
}

static void
put_line(struct writer *w, size_t rough)
{
	static const char params[] = "\",\"params\":{";
	char hashed[NAME_LIMIT_BYTES + 1];
	const char *name = w->name.p;
	size_t n = w->name.n;
	if (rough || n > NAME_LIMIT_BYTES) {
		put_hashed_name(hashed, name, n, w->usecase, w->json.p, w->json.n);
		name = hashed;
		n = strlen(hashed);
	}
	w->line.n = w->head.n;
	buf_add(&w->line, name, n);
	buf_add(&w->line, params, sizeof params - 1);
	buf_add(&w->line, w->json.p, w->json.n);
	buf_add(&w->line, "}}", 2);
	xput_line(w->line.p, w->line.n);
}

/* What include gives to the combination, a later entry before an earlier. */
static size_t
add_extras(struct writer *w, const uint64_t *met)
{
	const struct space *s = w->space;
	size_t rough = 0;
	for (size_t k = 0; k < s->n_params - s->n_matrix; k++) {
		const struct row *last = NULL;
		for (size_t i = 0; i < s->words; i++)
			for (uint64_t m = met[i] & s->gives[i]; m; m &= m - 1) {
				const struct row *r = &s->patterns[64 * i + (size_t)__builtin_ctzll(m)].extra[k];
				if (r->json)
					last = r;
			}
		if (!last)
			continue;
		add_row(&w->name, &w->json, last);
		rough += !last->plain;
	}
	return rough;
}

/* Follows the walk, from the first axis that changed, to the patterns met. */
static void
follow_patterns(struct writer *w, size_t axis)
{
	const struct space *s = w->space;
	for (size_t l = axis; s->n_patterns && l < s->n_axes; l++) {
		const struct axis *a = &s->axes[l];
		const uint64_t *class = a->masks + a->rows[w->walk.stops[l].row].class * s->words;
		for (size_t i = 0; i < s->words; i++)
			w->met[(l + 1) * s->words + i] = w->met[l * s->words + i] & class[i];
	}
}

/* Makes the texts again from the first axis that changed. */
static void
put_combination(struct writer *w, size_t axis)
{
	const struct space *s = w->space;
	struct part *p = &w->parts[axis];
	w->name.n = p->name_n;
	w->json.n = p->json_n;
	for (size_t l = axis; l < s->n_axes; l++, p++) {
		const struct row *r = &s->axes[l].rows[w->walk.stops[l].row];
		add_row(&w->name, &w->json, r);
		p[1] = (struct part){w->name.n, w->json.n, p->rough + !r->plain};
	}
	size_t extra = s->n_patterns ? add_extras(w, w->met + s->n_axes * s->words) : 0;
	put_line(w, p->rough + extra);
}

static void
put_alone(struct writer *w, const struct row *r)
{
	w->name.n = w->parts[0].name_n;
	w->json.n = 0;
	add_row(&w->name, &w->json, r);
	put_line(w, w->parts[0].rough + !r->plain);
}

static void
start_writer(struct writer *w, struct space *s, const char *usecase)
{
	json_t *text = json_string(usecase);
	if (!text)
		die(ST_USAGE, "the use case's name is not UTF-8");
	*w = (struct writer){.space = s, .usecase = usecase, .left = limit};
	w->walk.space = s;
	w->walk.stops = xmalloc((s->n_axes + 1) * sizeof *w->walk.stops);
	w->parts = xmalloc((s->n_axes + 1) * sizeof *w->parts);
	w->met = xmalloc((s->n_axes + 1) * s->words * sizeof *w->met);
	memset(w->met, 0xff, s->words * sizeof *w->met);
	bool plain = add_name_usecase(&w->name, usecase);
	w->parts[0] = (struct part){w->name.n, 0, !plain};
	buf_add(&w->json, "", 0);
	buf_addf(&w->head, "{\"type\":\"combination\",\"usecase\":");
	dump_json(&w->head, text);
	buf_addf(&w->head, ",\"name\":\"");
	buf_add(&w->line, w->head.p, w->head.n);
	json_decref(text);
}

/* ---- all lines ---- */

static void
put_all(struct writer *w)
{
	const struct space *s = w->space;
	const uint64_t *met = w->met + s->n_axes * s->words;
	size_t axis = 0, from = 0;	/* what changed, since the last line */
	if (s->count)
		walk_to(&w->walk, 0);
	for (bool more = s->count > 0; more && w->left; more = axis < s->n_axes) {
		from = axis < from ? axis : from;
		follow_patterns(w, axis);
		if (!s->tested || is_wanted(s, met)) {
			put_combination(w, from);
			from = s->n_axes;
			w->left--;
		}
		axis = walk_next(&w->walk);
	}
	for (size_t i = 0; i < s->n_alone && w->left; i++, w->left--)
		put_alone(w, &s->alone[i]);
}

static bool
take(void *with, uint64_t index)
{
	struct writer *w = with;
	const struct space *s = w->space;
	if (index >= s->count)
		return true;
	walk_to(&w->walk, index);
	follow_patterns(w, 0);
	return is_wanted(s, w->met + s->n_axes * s->words);
}

static void
put_sample(struct writer *w, uint64_t total)
{
	size_t k = (size_t)sample;
	const struct space *s = w->space;
	uint64_t *drawn = draw_sample(total, &k, (uint64_t)seed, s->tested ? take : NULL, w);
	if (!drawn)
		die(ST_INPUT, "%s:1:1: exclude leaves too little to draw from", s->source->name);
	for (size_t i = 0; i < k && w->left; i++, w->left--) {
		if (drawn[i] >= s->count) {
			put_alone(w, &s->alone[drawn[i] - s->count]);
			continue;
		}
		walk_to(&w->walk, drawn[i]);
		follow_patterns(w, 0);
		put_combination(w, 0);
	}
	free(drawn);
}

/* The name of the folder that holds the file. */
static char *
folder_name(const char *file)
{
	if (strcmp(file, "-") == 0)
		die_usage(&usage, "--usecase is needed where the file is standard input");
	const char *slash = strrchr(file, '/');
	char *dir = !slash ? xstrdup(".") : xasprintf("%.*s", slash == file ? 1 : (int)(slash - file), file);
	char *full = realpath(dir, NULL);
	if (!full)
		die(ST_SYSTEM, "cannot open '%s':", dir);
	char *name = xstrdup(strrchr(full, '/') + 1);
	free(full);
	free(dir);
	return name;
}

int
main(int argc, char **argv)
{
	/* ISO C has no void pointer to a function in an initialiser. */
	void (*call)(const char *) = add_where;
	memcpy(&opts[1].to, &call, sizeof call);
	const char *file = xone_operand(argc, argv, &usage);
	if (usecase_name && !*usecase_name)
		die_usage(&usage, "--usecase wants a name");

	struct source source;
	struct space space;
	struct writer w;
	xload_source(&source, file);
	xread_space(&space, &source);
	xsettle_space(&space, &where);
	start_writer(&w, &space, usecase_name ? usecase_name : folder_name(file));
	uint64_t total = space.count + space.n_alone < space.count ? UINT64_MAX : space.count + space.n_alone;
	if (total == 0)
		warn("no combination is left");
	if (sample >= 0 && total > INT64_MAX)
		die(ST_INPUT, "%s:1:1: more than 2^63 combinations: too many to draw from", source.name);
	if (sample >= 0 && ((uint64_t)sample < total || space.tested))
		put_sample(&w, total);
	else
		put_all(&w);
	xclose_stdout();
	return ST_OK;
}
