/* opt.c: options are a table that also prints the help. */
#include "base/opt.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/output.h"
#include "base/terminal_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static const struct opt **given;	/* those that were met */
static size_t n_given;

static const struct opt *
find_option(const struct opt_usage *u, const char *name, size_t n, char letter)
{
	for (const struct opt *o = u->opts; o->name; o++)
		if (name ? strlen(o->name) == n && strncmp(o->name, name, n) == 0
		    : o->letter && o->letter == letter)
			return o;
	return NULL;
}

enum { HELP_INDENT = 32, HELP_COLUMNS = 80 };

/* The text after `used` columns, in lines of at most HELP_COLUMNS, from `indent` on. */
static void
print_wrapped(const char *text, int used, int indent)
{
	if (used >= indent && indent) {
		putchar('\n');
		used = 0;
	}
	for (const char *p = text; *p;) {
		int n = (int)strcspn(p, " ");
		if (used > indent && used + 1 + n > HELP_COLUMNS) {
			putchar('\n');
			used = 0;
		}
		int blanks = used < indent ? indent - used : used > 0;
		printf("%*s%.*s", blanks, "", n, p);
		used += blanks + n;
		p += n;
		p += strspn(p, " ");
	}
	putchar('\n');
}

static void
print_option(char letter, const char *name, const char *arg, const char *help)
{
	char left[80];
	snprintf(left, sizeof left, "  %c%c%s --%s%s%s", letter ? '-' : ' ',
	    letter ? letter : ' ', letter ? "," : " ", name, arg ? " " : "", arg ? arg : "");
	printf("%s", left);
	print_wrapped(help, (int)strlen(left), HELP_INDENT + 1);
}

static void
print_help(const struct opt_usage *u)
{
	char *usage = xasprintf("usage: %s %s", u->name, u->synopsis);
	print_wrapped(usage, 0, 0);
	free(usage);
	print_wrapped(u->about, 0, 0);
	putchar('\n');
	for (const struct opt *o = u->opts; o->name; o++)
		print_option(o->letter, o->name, o->arg, o->help);
	print_option(find_option(u, NULL, 0, 'h') ? '\0' : 'h', "help", NULL,
	    "print this and exit");
	print_option('\0', "version", NULL, "print the version and exit");
	printf("\nThe manual: man %s\n", u->name);
}

static _Noreturn void
answer_help(const struct opt_usage *u)
{
	print_help(u);
	xoutput_close();
	exit(ST_OK);
}

void
opt_die(const struct opt_usage *u, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char text[1024];
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	fflush(stdout);
	warn("%s", text);
	fprintf(stderr, "usage: %s %s (see '%s --help')\n", u->name, u->synopsis, u->name);
	exit(ST_USAGE);
}

long
xopt_int(const char *text, long lo, long hi, const char *what)
{
	char *end;
	errno = 0;
	long v = strtol(text, &end, 10);
	if (errno || end == text || *end || v < lo || v > hi)
		die(ST_USAGE, "%s must be a whole number from %ld to %ld, not '%s'", what,
		    lo, hi, text);
	return v;
}

double
xopt_real(const char *text, double lo, double hi, const char *what)
{
	char *end;
	errno = 0;
	double v = strtod(text, &end);
	if (errno || end == text || *end || strpbrk(text, "xX") || !(v >= lo && v <= hi))
		die(ST_USAGE, "%s must be a number from %g to %g, not '%s'", what, lo, hi, text);
	return v;
}

/* Returns the number of the word in the list; dies if the list does not have it. */
static int
xchoice(const struct opt_usage *u, const char *words, const char *word, const char *what)
{
	size_t n = strlen(word), length;
	int number = 0;
	char list[512] = "";
	for (const char *p = words; *p; p += length + (p[length] == ' '), number++) {
		length = strcspn(p, " ");
		if (length == n && n && strncmp(p, word, n) == 0)
			return number;
		const char *before = !number ? "" : p[length] ? ", " : " or ";
		size_t used = strlen(list);
		snprintf(list + used, sizeof list - used, "%s%.*s", before, (int)length, p);
	}
	opt_die(u, "%s must be %s, not '%s'", what, list, word);
}

static void
set_option(const struct opt_usage *u, const struct opt *o, const char *value)
{
	char what[80];
	snprintf(what, sizeof what, "--%s", o->name);
	*XAPPEND(given, n_given) = o;
	switch (o->kind) {
	case OPT_FLAG: *(bool *)o->to = true; break;
	case OPT_STRING: *(const char **)o->to = value; break;
	case OPT_INT: *(long *)o->to = xopt_int(value, (long)o->lo, (long)o->hi, what); break;
	case OPT_REAL: *(double *)o->to = xopt_real(value, o->lo, o->hi, what); break;
	case OPT_CALL: o->call(value); break;
	case OPT_LIST: o->add(o->to, value, what); break;
	case OPT_CHOICE: *(int *)o->to = xchoice(u, o->words, value, what); break;
	}
}

/* One word "--name[=value]"; returns the number of words of argv that it used. */
static int
long_option(const struct opt_usage *u, char **argv, int left)
{
	const char *name = argv[0] + 2, *eq = strchr(name, '=');
	size_t n = eq ? (size_t)(eq - name) : strlen(name);
	const struct opt *o = find_option(u, name, n, 0);
	if (!eq && strcmp(name, "help") == 0)
		answer_help(u);
	if (!eq && strcmp(name, "version") == 0) {
		printf("%s (nbscope) %s\n", u->name, NBSCOPE_VERSION);
		xoutput_close();
		exit(ST_OK);
	}
	if (!o)
		opt_die(u, "unknown option '%s'", argv[0]);
	if (o->kind == OPT_FLAG && eq)
		opt_die(u, "option '--%s' takes no value", o->name);
	if (o->kind == OPT_FLAG || eq) {
		set_option(u, o, eq ? eq + 1 : NULL);
		return 1;
	}
	if (left < 2)
		opt_die(u, "option '--%s' requires a value", o->name);
	set_option(u, o, argv[1]);
	return 2;
}

/* One word "-abc" or "-nvalue". */
static int
short_options(const struct opt_usage *u, char **argv, int left)
{
	for (const char *p = argv[0] + 1; *p; p++) {
		const struct opt *o = find_option(u, NULL, 0, *p);
		if (!o && *p == 'h')
			answer_help(u);
		if (!o)
			opt_die(u, "unknown option '-%c'", *p);
		if (o->kind == OPT_FLAG) {
			set_option(u, o, NULL);
			continue;
		}
		if (p[1]) {
			set_option(u, o, p + 1);
			return 1;
		}
		if (left < 2)
			opt_die(u, "option '-%c' requires a value", *p);
		set_option(u, o, argv[1]);
		return 2;
	}
	return 1;
}

/* Moves an option's words before the operands that precede it. */
static void
move_before(char **operands, int n, int words)
{
	char *option[2];
	memcpy(option, operands + n, (size_t)words * sizeof *option);
	memmove(operands + words, operands, (size_t)n * sizeof *operands);
	memcpy(operands, option, (size_t)words * sizeof *option);
}

/* Occupies descriptors 0 to 2 if the parent process left them closed, so that no other file gets
 * one of them; in the wrong direction, so that using them fails. */
static void
fill_standard_files(void)
{
	static const int flags[] = {O_WRONLY, O_RDONLY, O_RDONLY};
	for (int fd = 0; fd < (int)COUNT(flags); fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags[fd]) != fd)
			die(ST_SYSTEM, "cannot open '/dev/null':");
}

int
opt_parse(int argc, char **argv, const struct opt_usage *u)
{
	bool runs_command = strstr(u->synopsis, "COMMAND") != NULL, end = false;
	int operands = 0, i = 1;
	n_given = 0;
	program_name = u->name;
	const char *temporary = getenv("TMPDIR");
	fill_standard_files();
	if (temporary && *temporary && access(temporary, F_OK) != 0)
		die(ST_SYSTEM, "cannot use the folder '%s' (TMPDIR):", temporary);
	if (!die_knows_log_level())
		xchoice(u, "DEBUG INFO WARNING ERROR CRITICAL", getenv("LOG_LEVEL"), "LOG_LEVEL");
	terminal_output_guard();
	while (i < argc && !end) {
		int words = 1;
		end = strcmp(argv[i], "--") == 0;
		if (argv[i][0] != '-' || !argv[i][1]) {
			if (runs_command)
				break;
			operands++;
			i++;
			continue;
		}
		if (!end)
			words = argv[i][1] == '-' ? long_option(u, argv + i, argc - i)
			    : short_options(u, argv + i, argc - i);
		move_before(argv + i - operands, operands, words);
		i += words;
	}
	return i - operands;
}

bool
opt_given(const char *name)
{
	size_t i = 0;
	while (i < n_given && strcmp(given[i]->name, name) != 0)
		i++;
	return i < n_given;
}

/* The first of the names that is so, as an option is written without "--"; NULL: none. */
static char *
first_of(const struct opt_usage *u, const char *names)
{
	for (size_t n; names && *names; names += n + (names[n] == ' ')) {
		n = strcspn(names, " ");
		char *name = xasprintf("%.*s", (int)n, names), *word = strchr(name, '=');
		size_t own = word ? (size_t)(word - name) : n;
		const struct opt *o = find_option(u, name, own, 0);
		if (word ? *(int *)o->to == xchoice(u, o->words, word + 1, name) :
		    opt_given(name)) {
			name[own] = word ? ' ' : '\0';
			return name;
		}
		free(name);
	}
	return NULL;
}

void
xopt_rules(const struct opt_usage *u, const struct opt_rule *rule)
{
	for (; rule->names; rule++) {
		char *name = first_of(u, rule->names), *other = first_of(u, rule->without);
		struct buf text = {0};
		if (!name || (rule->when && !first_of(u, rule->when)))
			continue;
		if (other)
			opt_die(u, "--%s has no effect with --%s", name, other);
		if (!rule->with || first_of(u, rule->with))
			continue;
		for (const char *p = rule->with; *p; p++)
			buf_add(&text, *p == ' ' ? " or --" : *p == '=' ? " " : p,
			    *p == ' ' ? 6 : 1);
		opt_die(u, "--%s has no effect without --%.*s", name, (int)text.n, text.p);
	}
}

char *
xopt_optional_operand(int argc, char **argv, const struct opt_usage *u)
{
	int first = opt_parse(argc, argv, u);
	if (argc - first > 1)
		opt_die(u, "unexpected operand '%s'", argv[argc - 1]);
	return argv[first];
}

const char *
xopt_operand(int argc, char **argv, const struct opt_usage *u)
{
	const char *operand = xopt_optional_operand(argc, argv, u);
	const char *name = strrchr(u->synopsis, ' ');
	if (!operand)
		opt_die(u, "the operand %s is missing", name ? name + 1 : u->synopsis);
	return operand;
}

bool
opt_wants_table(int format)
{
	return format < 0 ? isatty(STDOUT_FILENO) : format == 0;
}
