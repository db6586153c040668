/* nbpatch: template, combinations -> notebooks.
 * In:  `combination` records on stdin; a template.   Out: DIR/NAME.ipynb, or the only one on
 * stdout.  Nothing is written before all has been checked, and a file with the right content is
 * left alone, so that make sees what changed.
 */
#include "base/buf.h"
#include "base/die.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/nameless_file.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/random_hex.h"
#include "json/json_parse.h"
#include "json/lines.h"
#include "template_fill.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the folder of the notebooks ---- */

#include <jansson.h>

static const char suffix[] = ".ipynb";
static const char *dir;
static int dir_fd = -1;
static char temp[64];

static void
xnotebook_folder_open(const char *path)
{
	char hex[17];
	dir = path;
	if (folder_make(dir) == 0)
		dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0)
		die(ST_SYSTEM, "cannot open '%s':", dir);
	xrandom_hex(hex, 16);
	snprintf(temp, sizeof temp, ".nbpatch-%s.tmp", hex);
}

_Noreturn static void
die_writing(const char *file)
{
	int saved = errno;
	unlinkat(dir_fd, temp, 0);
	errno = saved;
	die(ST_SYSTEM, "cannot write '%s/%s':", dir, file);
}

/* NULL if it cannot be read or is a link. */
static char *
read_regular_file(const char *file, size_t *n)
{
	struct stat st;
	char *path = xasprintf("%s/%s", dir, file), *text = NULL;
	if (fstatat(dir_fd, file, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
		text = file_read(path, 0, n);
	free(path);
	return text;
}

/* The file is not synced to the disk: content is compared each time, so what is lost when the
 * machine crashes is written again. */
static void
replace_file(const char *file, const struct buf *content)
{
	bool named;
	sigset_t all, before;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);	/* the file may have a name */
	int fd = nameless_file_create(dir_fd, temp, 0666, &named);
	if (fd < 0)
		die_writing(file);
	for (size_t at = 0; at < content->n;) {
		ssize_t n = write(fd, content->p + at, content->n - at);
		if (n < 0 && errno != EINTR)
			die_writing(file);
		at += n > 0 ? (size_t)n : 0;
	}
	/* A network file system may report only now that the disk is full. */
	if ((named && close(fd) != 0) || nameless_file_name(dir_fd, fd, temp, file, named) != 0)
		die_writing(file);
	if (!named)
		close(fd);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Writes NAME.ipynb unless it has this content already; returns whether it did. */
static bool
xnotebook_folder_write(const char *name, const struct buf *content)
{
	size_t n;
	char *file = xasprintf("%s%s", name, suffix), *text = read_regular_file(file, &n);
	bool differs = !text || n != content->n || memcmp(text, content->p, n) != 0;
	if (differs)
		replace_file(file, content);
	free(text);
	free(file);
	return differs;
}

/* Whether nbpatch made a file for one of the use cases: its metadata must say so, with its name. */
static bool
is_ours(const json_t *usecases, const char *file, size_t stem)
{
	size_t n;
	char *text = read_regular_file(file, &n), *error = NULL;
	json_t *root = text ? json_parse_text(text, n, file, &error) : NULL;
	json_t *made = json_object_get(json_object_get(root, "metadata"), "nbscope");
	const char *usecase = json_string_value(json_object_get(made, "usecase"));
	const char *name = json_string_value(json_object_get(made, "name"));
	bool ours = usecase && name && json_object_get(usecases, usecase) &&
	    strlen(name) == stem && strncmp(name, file, stem) == 0;
	json_decref(root);
	free(text);
	free(error);
	return ours;
}

/* Removes notebooks that nbpatch made for these use cases and that are not among the names.
 * Returns how many. */
static size_t
xnotebook_folder_prune(const json_t *usecases, const json_t *names)
{
	size_t removed = 0;
	DIR *d = fdopendir(dup(dir_fd));
	if (!d)
		die(ST_SYSTEM, "cannot read '%s':", dir);
	for (struct dirent *e; (e = readdir(d));) {
		size_t n = strlen(e->d_name), stem = n - strlen(suffix);
		if (n <= strlen(suffix) || strcmp(e->d_name + stem, suffix) != 0 ||
		    json_object_getn(names, e->d_name, stem) || !is_ours(usecases, e->d_name, stem))
			continue;
		if (unlinkat(dir_fd, e->d_name, 0) != 0)
			die(ST_SYSTEM, "cannot remove '%s/%s':", dir, e->d_name);
		removed++;
	}
	closedir(d);
	return removed;
}

enum { MAX_NAME = 180, MAX_COMBINATIONS = 1000000 };

static const char *dir, *kernel;
static bool prune;

static const struct opt opts[] = {
	{'o', "output", OPT_STRING, &dir, 0, 0, "DIR",
	    "write DIR/NAME.ipynb where its content differs"},
	{0, "prune", OPT_FLAG, &prune, 0, 0, NULL,
	    "remove notebooks of earlier calls whose combination is gone"},
	{0, "kernel", OPT_STRING, &kernel, 0, 0, "NAME",
	    "the kernel (default: $KERNEL, then python3)"},
	{0},
};
static const struct opt_usage usage = {
	"nbpatch", "[options] TEMPLATE",
	"Writes a notebook for each combination on standard input.", opts,
};

/* ---- input ---- */

struct combinations {
	struct lines in;
	struct combination *list;
	size_t n;
	json_t *names, *usecases, *params;	/* sets */
};

static bool
is_safe_name(const char *s)
{
	static const char allowed[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
	size_t n = strlen(s);
	return n && n <= MAX_NAME && strspn(s, allowed) == n && *s != '.' && *s != '-';
}

/* What is wrong with a combination; NULL: nothing. */
static const char *
find_fault(const struct combination *c, json_t *record)
{
	if (source_has_nul(record))
		return "a string contains a NUL";
	if (!c->usecase || !c->name)
		return "a combination needs strings \"usecase\" and \"name\"";
	if (!json_is_object(c->params))
		return "a combination needs an object \"params\"";
	if (!is_safe_name(c->name))
		return "\"name\" is too long or has other characters than A-Z a-z 0-9 . _ -";
	return NULL;
}

/* The combination borrows from its record, which is never freed. */
static void
add_combination(struct combinations *in, json_t *record)
{
	struct combination c = {
		.usecase = json_string_value(json_object_get(record, "usecase")),
		.name = json_string_value(json_object_get(record, "name")),
		.params = json_object_get(record, "params"), .line = in->in.number,
	};
	const char *fault = find_fault(&c, record);
	if (fault)
		die(ST_INPUT, "stdin:%lu:1: %s", c.line, fault);
	if (json_object_get(in->names, c.name))
		die(ST_INPUT, "stdin:%lu:1: duplicate combination '%s'", c.line, c.name);
	if (in->n == MAX_COMBINATIONS)
		die(ST_INPUT, "stdin:%lu:1: more than %d combinations", c.line, MAX_COMBINATIONS);
	json_object_set_new(in->names, c.name, json_null());
	json_object_set_new(in->usecases, c.usecase, json_null());
	json_object_update_missing(in->params, c.params);
	*XAPPEND(in->list, in->n) = c;
}

static void
read_input(struct combinations *in)
{
	char *line;
	size_t n;
	*in = (struct combinations){.in = {.name = "stdin"}};
	in->names = json_object(), in->usecases = json_object(), in->params = json_object();
	while ((line = xlines_next(&in->in, &n))) {
		json_t *record = xlines_parse(&in->in, line, n);
		if (strcmp(lines_record_type(record), "combination") == 0)
			add_combination(in, record);
		else
			json_decref(record);
	}
	if (in->n == 0)
		die(ST_INPUT, "stdin:%lu:1: no combination", in->in.number + 1);
}

/* ---- output ---- */

static void
write_folder(const struct combinations *in, const struct template *t)
{
	struct buf b = {0};
	size_t written = 0, removed = 0;
	xnotebook_folder_open(dir);
	for (size_t i = 0; i < in->n; i++) {
		b.n = 0;
		template_fill(t, &in->list[i], &b);
		written += xnotebook_folder_write(in->list[i].name, &b);
	}
	if (prune)
		removed = xnotebook_folder_prune(in->usecases, in->names);
	log_at(LOG_LEVEL_INFO, "%s: %zu of %zu notebooks written, %zu removed", dir, written, in->n,
	    removed);
}

static void
write_stdout(const struct combinations *in, const struct template *t)
{
	struct buf b = {0};
	if (in->n > 1)
		opt_die(&usage, "more than one combination: -o DIR is required");
	template_fill(t, in->list, &b);
	xoutput_text(b.p, b.n);
}

int
main(int argc, char **argv)
{
	struct template t;
	struct combinations in;
	const char *path = xopt_operand(argc, argv, &usage), *set = getenv("KERNEL");
	if (strcmp(path, "-") == 0)
		opt_die(&usage, "the template cannot be '-': combinations are on standard input");
	if (prune && !dir)
		opt_die(&usage, "--prune requires -o DIR");
	xtemplate_load(&t, path);
	read_input(&in);
	xtemplate_prepare(&t, kernel && *kernel ? kernel : set && *set ? set : NULL, in.params);
	for (size_t i = 0; i < in.n; i++)
		xtemplate_check(&t, &in.list[i]);
	if (dir)
		write_folder(&in, &t);
	else
		write_stdout(&in, &t);
	xoutput_close();
	return ST_OK;
}
