/* nbexpand: parameter file -> combinations.
 * In:  a JSON or YAML file.   Out: `combination` records, in the file's order.
 * Of each line only the part after the first value that changed is written again.
 */
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "combination_name.h"
#include "grid_walk.h"
#include "json/json_file.h"
#include "json/json_text.h"

/* ---- a random sample ---- */

struct random_sample {
	size_t size;	/* how many to draw */
	/* private */
	uint64_t start, bound, *keys;
	size_t n, capacity;
};

/* splitmix64, of Steele, Lea and Flood: no two items have the same key. */
static uint64_t
random_key(uint64_t start, uint64_t item)
{
	uint64_t z = start + (item + 1) * 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static int
by_key(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Drops all but the smallest keys; no item above them can be drawn any more. */
static void
drop_large_keys(struct random_sample *s)
{
	if (s->n <= s->size)
		return;
	qsort(s->keys, s->n, sizeof *s->keys, by_key);
	s->n = s->size;
	s->bound = s->keys[s->n - 1];
}

static void
random_sample_open(struct random_sample *s, size_t size, uint64_t seed)
{
	*s = (struct random_sample){.size = size, .bound = UINT64_MAX};
	s->start = random_key(seed, 0);
}

static void
random_sample_offer(struct random_sample *s, uint64_t item)
{
	uint64_t key = random_key(s->start, item);
	if (s->size == 0 || key > s->bound)
		return;
	if (s->n == s->capacity && s->n >= 2 * s->size)
		drop_large_keys(s);
	if (s->n == s->capacity) {
		s->capacity = s->capacity ? 2 * s->capacity : 1024;
		s->keys = xrealloc(s->keys, s->capacity * sizeof *s->keys);
	}
	s->keys[s->n++] = key;
}

static void
random_sample_close(struct random_sample *s)
{
	drop_large_keys(s);
	free(s->keys);
}

static bool
random_sample_has(const struct random_sample *s, uint64_t item)
{
	return s->size > 0 && random_key(s->start, item) <= s->bound;
}

static const char *usecase_name;
static struct conditions where;
static long limit = -1, sample = -1, seed;

static void
add_where(const char *text)
{
	xconditions_add(&where, text);
}

static const struct opt opts[] = {
	{0, "usecase", OPT_STRING, &usecase_name, 0, 0, "NAME",
	    "name of the use case (default: FILE's folder)"},
	{'w', "where", OPT_CALL, NULL, 0, 0, "CONDITIONS",
	    "only combinations that meet them all: 'a=1,2 b<=3'", add_where},
	{'n', "limit", OPT_INT, &limit, 0, 9e18, "N", "write at most N"},
	{0, "sample", OPT_INT, &sample, 0, 10000000, "N",
	    "write N drawn at random, in the file's order"},
	{0, "seed", OPT_INT, &seed, 0, 9e18, "S", "seed of --sample (default 0)"},
	{0},
};
static const struct opt_usage usage = {
	"nbexpand", "[options] FILE",
	"Writes the combinations of a parameter file, one record per line.", opts,
};

/* ---- one line ---- */

/* What the texts contain before the choice of an axis. */
struct line_part {
	size_t name_n, json_n;
	bool rough;	/* the name needs a hash */
};
struct writer {
	const struct grid *grid;
	const char *usecase;
	struct line_part *parts;	/* one per axis, and one more */
	struct buf head, name, json, line;
	long left;		/* lines that --limit allows; below 0: any number */
};

static void
add_choice(struct writer *w, const struct grid_choice *c)
{
	buf_add(&w->json, ",", w->json.n > 0);
	buf_add(&w->json, c->json, c->json_n);
	buf_add(&w->name, c->name, c->name_n);
}

static void
put_line(struct writer *w, bool rough)
{
	static const char params[] = "\",\"params\":{";
	char hashed[MAX_COMBINATION_NAME + 1];
	w->line.n = w->head.n;
	if (rough || w->name.n > MAX_COMBINATION_NAME) {
		combination_name_hash(hashed, &w->name, w->usecase, &w->json);
		buf_add(&w->line, hashed, strlen(hashed));
	} else {
		buf_add(&w->line, w->name.p, w->name.n);
	}
	buf_add(&w->line, params, sizeof params - 1);
	buf_add(&w->line, w->json.p, w->json.n);
	buf_add(&w->line, "}}", 2);
	xoutput_line(w->line.p, w->line.n);
	w->left--;
}

/* Writes the current combination; the axes before `axis` have not changed since the last one. */
static void
put_combination(struct writer *w, const struct grid_walk *walk, size_t axis)
{
	const struct grid *g = w->grid;
	struct line_part *p = &w->parts[axis];
	w->name.n = p->name_n;
	w->json.n = p->json_n;
	for (; axis < g->n_axes; axis++, p++) {
		const struct grid_choice *c = &g->axes[axis].choices[walk->at[axis]];
		add_choice(w, c);
		p[1] = (struct line_part){w->name.n, w->json.n, p->rough || !c->plain};
	}
	bool rough = p->rough;
	for (size_t i = g->n_matrix; i < g->n_params; i++) {
		const struct grid_member *m = grid_walk_added(walk, i);
		if (!m)
			continue;
		add_choice(w, &m->choice);
		rough |= !m->choice.plain;
	}
	put_line(w, rough);
}

static void
put_alone(struct writer *w, const struct grid_choice *c)
{
	w->name.n = w->parts[0].name_n;
	w->json.n = 0;
	add_choice(w, c);
	put_line(w, w->parts[0].rough || !c->plain);
}

static void
start_writer(struct writer *w, const struct grid *g, const char *usecase)
{
	json_t *text = json_string(usecase);
	if (!text)
		die(ST_USAGE, "the name of the use case is not UTF-8");
	*w = (struct writer){.grid = g, .usecase = usecase, .left = limit};
	w->parts = xmalloc((g->n_axes + 1) * sizeof *w->parts);
	bool plain = combination_name_add_usecase(&w->name, usecase);
	w->parts[0] = (struct line_part){w->name.n, 0, !plain};
	buf_add(&w->json, "", 0);
	buf_addf(&w->head, "{\"type\":\"combination\",\"usecase\":");
	json_text_add(&w->head, text);
	buf_addf(&w->head, ",\"name\":\"");
	buf_add(&w->line, w->head.p, w->head.n);
	json_decref(text);
}

/* ---- all lines ---- */

static void
draw_sample(struct random_sample *s, const struct grid *g)
{
	struct grid_walk walk;
	uint64_t item = 0;
	grid_walk_start(&walk, g);
	while (grid_walk_next(&walk) != GRID_END)
		random_sample_offer(s, item++);
	for (size_t i = 0; i < g->n_entries; i++)
		if (g->entries[i].alone)
			random_sample_offer(s, item++);
	random_sample_close(s);
	grid_walk_free(&walk);
}

static void
put_all(struct writer *w, const struct random_sample *s)
{
	const struct grid *g = w->grid;
	struct grid_walk walk;
	uint64_t item = 0;
	long axis = 0, first = 0;	/* that changed: in this step, since the last line */
	grid_walk_start(&walk, g);
	while (w->left && (axis = grid_walk_next(&walk)) != GRID_END) {
		first = axis < first ? axis : first;
		if (!random_sample_has(s, item++))
			continue;
		put_combination(w, &walk, (size_t)first);
		first = (long)g->n_axes;
	}
	for (size_t i = 0; i < g->n_entries && w->left; i++)
		if (g->entries[i].alone && random_sample_has(s, item++))
			put_alone(w, &g->entries[i].choice);
	if (item == 0 && w->left)
		warn("no combination is left");
	grid_walk_free(&walk);
}

/* The name of the folder that contains the file. */
static char *
folder_name(const char *file)
{
	if (strcmp(file, "-") == 0)
		opt_die(&usage, "--usecase is required if the file is standard input");
	const char *slash = strrchr(file, '/');
	char *dir = xasprintf("%.*s", slash > file ? (int)(slash - file) : 1, slash ? file : ".");
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
	const char *file = xopt_operand(argc, argv, &usage);
	if (usecase_name && !*usecase_name)
		opt_die(&usage, "--usecase must not be empty");

	struct source source;
	struct grid grid;
	struct writer w;
	struct random_sample drawn;
	xjson_file_load(&source, file);
	xgrid_read(&grid, &source);
	xgrid_select(&grid, &where);
	start_writer(&w, &grid, usecase_name ? usecase_name : folder_name(file));
	random_sample_open(&drawn, sample < 0 ? SIZE_MAX : (size_t)sample, (uint64_t)seed);
	if (sample >= 0)
		draw_sample(&drawn, &grid);
	put_all(&w, &drawn);
	xoutput_close();
	return ST_OK;
}
