/* generate.h: what nbexpand and nbpatch are made of, beside nbscope.h, whose
 * rules (who frees, who fails) hold here too.  What a function of this header
 * finds wrong with its input it reports itself: exit status 3 and
 * "file:line:column: reason".
 */
#ifndef GENERATE_H
#define GENERATE_H

#include "nbscope.h"

enum {
	NAME_LIMIT_BYTES = 180,		/* of a combination's name */
	SOURCE_LIMIT_BYTES = 16 << 20,	/* of a parameter file, aliases expanded */
	SOURCE_LIMIT_DEPTH = 200,
};

bool is_identifier(const char *s, size_t n);	/* [A-Za-z_][A-Za-z0-9_]* */

/* ---- source.c: where the values of a JSON or YAML file stand ---------------- */

bool has_nul(const json_t *);	/* in a string of it: code and names cannot have one */

/* Where the member (counted from 0) of a container stands; lines and columns
 * count from 1, columns in characters. */
struct mark {
	const json_t *in;
	size_t member;
	size_t line, column;
};
struct source {
	const char *name;
	char *text;
	size_t n;
	json_t *root;
	struct mark *marks;
	size_t n_marks;
};
_Noreturn void die_at(const struct source *, const json_t *in, size_t member, const char *fmt, ...) PRINTF(4, 5);
void add_mark(struct source *, const json_t *in, size_t member, size_t line, size_t column);
/* "file:line:column: reason" of a byte of the text. */
_Noreturn void die_at_byte(const struct source *, size_t offset, const char *reason);

/* ---- load.c ----------------------------------------------------------------- */

/* A parameter file; path "-" is stdin. */
void xload_source(struct source *, const char *path);

/* ---- yaml.c: YAML 1.2 core, with merge keys -------------------------------- */

void xload_yaml(struct source *);

/* ---- where.c: conditions on parameters --------------------------------------- */

enum where_op { WHERE_EQ, WHERE_NE, WHERE_LT, WHERE_LE, WHERE_GT, WHERE_GE };
struct condition {
	char *name;
	enum where_op op;
	struct operand {
		char *text;
		bool quoted;	/* a string, whatever it looks like */
	} *operands;
	size_t n_operands;
};
struct where {
	struct condition *conditions;
	size_t n;
};
/* Adds the conditions of one text ("a=1,2 b<=3"); dies with ST_USAGE. */
void xadd_where(struct where *, const char *text);
bool condition_holds(const struct condition *, const json_t *value);

/* ---- name.c: a combination's name -------------------------------------------- */

/* Appends a value as it stands in names.  False: other values may read the
 * same, so a name with it needs the hash. */
bool add_name_value(struct buf *, const json_t *value);
/* Appends a use case's name, made safe; false as above. */
bool add_name_usecase(struct buf *, const char *usecase);
/* The hashed form: `readable` shortened, "--", and the hash of what is named. */
void put_hashed_name(char name[NAME_LIMIT_BYTES + 1], const char *readable, size_t n,
    const char *usecase, const char *params, size_t params_n);

/* ---- params.c: what a parameter file says -------------------------------------- */

/* A value of an axis (a zipped group's values), or what an include entry
 * gives one parameter: its text, made once. */
struct row {
	char *json, *name;	/* "a":1,"b":2   -a1-b2 */
	size_t json_n, name_n;
	bool plain;		/* a name needs no hash for it */
	size_t class;		/* rows of one class meet the same patterns */
	json_t *values;		/* an object */
};
struct axis {
	struct row *rows;
	size_t n_rows, n_params;
	json_t *index;		/* a row's JSON text to its number */
	uint64_t *masks;	/* a class's patterns, `words` words a class */
	size_t n_classes;
	size_t *class_rows;	/* how many rows a class has */
	struct run {
		size_t start, n, class;
	} *runs;		/* neighbouring rows of one class */
	size_t n_runs;
};
/* An exclude or include entry: what it asks of the matrix, what it adds. */
struct pattern {
	const json_t *list;	/* where it stands */
	size_t member;
	bool exclude;
	json_t *wants, *gives;	/* objects */
	struct row *extra;	/* one a parameter that only include has */
};
struct space {
	const struct source *source;
	json_t *params;		/* every parameter's name to its number, in order */
	size_t n_params, n_matrix;	/* all; those that are axes' */
	bool mixed;		/* combinations differ in which parameters they have */
	struct axis *axes;
	size_t n_axes;
	struct pattern *patterns;
	size_t n_patterns;
	/* space.c's */
	size_t words;		/* 64-bit words of a mask of patterns */
	uint64_t *open;		/* for each axis: patterns that ask something there or later */
	uint64_t *suffix;	/* for each axis: the product of the rows there and later */
	uint64_t *excludes, *relevant, *gives;	/* masks */
	struct row *alone;	/* combinations that only include names */
	size_t n_alone;
	struct where *where;
	const struct node *top;
	uint64_t count;		/* of the matrix; saturates at UINT64_MAX */
	bool tested;		/* the walk meets more than is wanted: is_wanted() */
};
void xread_space(struct space *, const struct source *);
/* The texts of some parameters: members of `values`, in the file's order. */
struct row make_row(const struct space *, json_t *values);

/* ---- space.c: which combinations there are --------------------------------------- */

/* Settles include and exclude, keeps what `where` asks for, and counts. */
void xsettle_space(struct space *, struct where *);

uint64_t *new_masks(const struct space *, size_t n);
void set_bit(uint64_t *mask, size_t i);
uint64_t times(uint64_t, uint64_t);	/* UINT64_MAX at most */

/* ---- graph.c: what exclude leaves, counted ------------------------------------------ */

extern const struct node everything;	/* every row of every axis follows */
struct graph {
	struct space *space;
	const struct pattern *within;	/* only what meets this one; or NULL */
	bool too_large;		/* to be built: nothing is known */
	/* graph.c's */
	struct node **table;
	size_t n, mask, size;
};
const struct node *build_graph(struct graph *);	/* NULL: nothing follows */
void free_graph(struct graph *);
/* How many combinations of the axes from this one on follow a node. */
uint64_t count_of(const struct space *, const struct node *, size_t axis);
/* Whether a combination that meets these patterns, and no others, is wanted. */
bool is_wanted(const struct space *, const uint64_t *met);

/* A walk over the matrix in the file's order, the first parameter slowest. */
struct walk {
	struct space *space;
	struct stop {
		const struct node *node;	/* what may follow the stops before */
		size_t row;
	} *stops;	/* one an axis */
};
void walk_to(struct walk *, uint64_t index);
/* Goes on by one; the first stop that changed, or n_axes at the end. */
size_t walk_next(struct walk *);

/* ---- range.c --------------------------------------------------------------------- */

/* The list of a range, which is the member of `in`. */
json_t *xexpand_range(const struct source *, const json_t *range, const char *name, const json_t *in, size_t member);

/* ---- sample.c --------------------------------------------------------------------- */

/* k different numbers below n that `take` takes (NULL: all), every such set
 * equally likely, in order; fewer where no more are there (*k becomes that).
 * What a smaller k draws with the same seed is among them.  NULL when so few
 * are taken that drawing does not find them. */
uint64_t *draw_sample(uint64_t n, size_t *k, uint64_t seed, bool (*take)(void *, uint64_t), void *with);

/* ---- lexer.c: what each byte of a cell's code stands in ----------------------------- */

enum language { LANG_PYTHON, LANG_R, LANG_JULIA, LANG_UNKNOWN };
enum language find_language(const char *name);

struct spot {
	enum { IN_CODE, IN_COMMENT, IN_BLOCK_COMMENT, IN_STRING, IN_RAW_STRING } kind;
	char quote;	/* of a string */
	bool triple;	/* it may hold newlines */
	bool format;	/* an f-string: braces are doubled */
	bool bytes;	/* it holds ASCII only */
};
/* One spot a byte, and one more: what follows the last. */
struct spot *lex(enum language, const char *text, size_t n);
/* The length of the name that begins at text[i] in code; 0 if none begins. */
size_t name_at(enum language, const char *text, const struct spot *, size_t i, size_t n);

/* ---- codenames.c: names that code uses before it has given them a value itself ------ */

/* Adds to `used` the names, with `where`, and to `bound` those that have a value
 * afterwards (keys alone count); a name of either is not added again. */
void unbound_names(enum language, const char *text, size_t n, json_t *bound, json_t *used, json_int_t where);

/* ---- literal.c: a value as code ------------------------------------------------------ */

/* Appends the value as it is written in code.  NULL, or why it cannot be. */
const char *add_literal(struct buf *, enum language, const json_t *value);
/* Appends the value as text to what stands at the spot: escaped within quotes
 * and comments.  NULL, or why it cannot be. */
const char *add_within(struct buf *, enum language, const struct spot *, const json_t *value);

/* ---- template.c: a notebook that is a template ----------------------------------------- */

struct placeholder {
	char *param;
	struct spot spot;
	bool wrap_negative, wrap_all;	/* parentheses keep a number whole */
	bool backslash, ends;	/* one stands before it that meant its brace; the string's quote after it */
	bool own;	/* the cell's code has the very name, as f"{x_value}" may mean */
};
enum { HOLE_END = -1, HOLE_METADATA = -2, HOLE_INJECTED = -3 };
struct template {
	struct source source;
	enum language language;
	const json_t *cells;	/* of the file */
	size_t tagged;		/* the parameters cell among them; SIZE_MAX: none */
	json_t *used;		/* names in code before it, each with its cell */
	json_t *own;		/* names in its own code, outside of placeholders */
	struct placeholder *placeholders;
	size_t n_placeholders;
	bool injects;		/* no placeholder: a cell of assignments follows */
	json_t *tree;		/* what is put in order and cut */
	struct segment {
		char *text;	/* of a notebook's file */
		size_t n;
		int hole;	/* what follows: a placeholder's number or a HOLE_ */
	} *segments;
	size_t n_segments;
};
void xload_template(struct template *, const char *path);
/* kernel NULL: python3 for Python, else the template's own.  params: an object
 * with the names of all parameters of all combinations. */
void xcut_template(struct template *, const char *kernel, const json_t *params);
/* "code cell 2 (id 'show')", for messages. */
char *cell_name(const struct template *, size_t at);
char *source_text(const json_t *cell);	/* joined */
bool is_tagged(const json_t *cell, const char *tag);
char *hole_mark(int hole);

/* ---- holes.c: where a combination's values go ------------------------------------------- */

struct combination {
	const char *usecase, *name;
	const json_t *params;
	unsigned long line;	/* of stdin */
};
void find_holes(struct template *);
/* Whether there is a placeholder, for these parameters or for none of them. */
bool has_places(const struct template *, const json_t *params);
/* Dies unless every parameter has its place and every place its parameter. */
void xcheck_combination(const struct template *, const struct combination *);
/* The notebook of a checked combination. */
void fill_template(const struct template *, const struct combination *, struct buf *);

#endif
