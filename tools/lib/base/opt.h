/* opt.h: options are a table that also prints the help. */
#pragma once

#include "base/nbscope.h"

struct list;
enum opt_kind { OPT_FLAG, OPT_STRING, OPT_INT, OPT_REAL, OPT_CALL, OPT_CHOICE, OPT_LIST };
struct opt {
	char letter;	/* 0: no short form */
	const char *name;	/* long form without "--"; NULL ends the table */
	enum opt_kind kind;
	/* bool *, const char **, long *, double *, int *, struct list *; NULL for OPT_CALL */
	void *to;
	double lo, hi;	/* range of OPT_INT and OPT_REAL, inclusive */
	const char *arg;	/* the value's name in the help, such as "MS"; NULL for OPT_FLAG */
	const char *help;
	void (*call)(const char *value);	/* for OPT_CALL */
	const char *words;	/* for OPT_CHOICE, "csv json": `to` gets the number of one */
	/* for OPT_LIST: xlist_split, or xlist_append for the value as a whole */
	void (*add)(struct list *to, const char *value, const char *option);
};
struct opt_usage {
	const char *name;	/* "cellrun" */
	const char *synopsis;	/* "[options] NOTEBOOK" */
	const char *about;	/* one sentence */
	const struct opt *opts;
};

/* Parses the options, which may come before, between and after the operands; but if the
 * synopsis has a COMMAND, everything from the first operand on belongs to that.  "--"
 * ends the options.  Moves the operands to the end of argv and returns the index of the
 * first.  Answers --help, -h and --version itself; dies with ST_USAGE on a bad option or an
 * unknown LOG_LEVEL. */
int opt_parse(int argc, char **argv, const struct opt_usage *);
/* Whether the last opt_parse() met the option of this name. */
bool opt_given(const char *name);
/* Options that have an effect only with one of others, or with none of them; `when`: only then.
 * Names, separated by blanks; NAME=WORD is a value of an OPT_CHOICE.  The last rule has none. */
struct opt_rule {
	const char *names, *with, *without, *when;
};
/* Dies with ST_USAGE, and says which, if an option that was given has no effect. */
void xopt_rules(const struct opt_usage *, const struct opt_rule *);
/* Parse the options of a program with exactly one operand, or at most one (NULL: none). */
const char *xopt_operand(int argc, char **argv, const struct opt_usage *);
char *xopt_optional_operand(int argc, char **argv, const struct opt_usage *);
_Noreturn void opt_die(const struct opt_usage *, const char *fmt, ...) PRINTF(2, 3);

/* Whether --format, one of these words, asks for a table for people rather than records. -1, no
 * word: a table if stdout is a terminal. */
#define OPT_TABLE_OR_RECORDS "table json"
bool opt_wants_table(int format);
/* A number given by the user, the whole text, within [lo, hi]; else dies with ST_USAGE,
 * naming `what`. */
long xopt_int(const char *text, long lo, long hi, const char *what);
double xopt_real(const char *text, double lo, double hi, const char *what);
