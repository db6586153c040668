/* nbpatch: a notebook for each combination.
 * In:  `combination` records on stdin; a template.   Out: DIR/NAME.ipynb, or the
 * only one on stdout.  All is checked before anything is written, and a file
 * that holds what it should is left alone, so that make sees what changed.
 */
#include "generate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *dir, *kernel;
static bool prune;

static const struct opt opts[] = {
	{'o', "output", OPT_STRING, &dir, 0, 0, "DIR", "write DIR/NAME.ipynb where its content differs"},
	{'p', "prune", OPT_FLAG, &prune, 0, 0, NULL, "remove notebooks made earlier whose combination is gone"},
	{'k', "kernel", OPT_STRING, &kernel, 0, 0, "NAME", "the kernel (default: $KERNEL, then python3)"},
	{0},
};
static const struct usage usage = {
	"nbpatch", "[options] TEMPLATE", "Writes a notebook for each combination that it reads.", opts,
};

/* ---- what is wanted ---- */

struct wanted {
	struct lines in;
	struct buf text;	/* the lines, each ended by a NUL */
	struct item {
		size_t at, n;
		unsigned long line;
	} *items;
	size_t n;
	json_t *names, *usecases, *params;	/* sets */
};

_Noreturn static void
fault(const struct wanted *w, const char *reason)
{
	die(ST_INPUT, "stdin:%lu:1: %s", w->in.number, reason);
}

static bool
safe_name(const char *s)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
	size_t n = strlen(s);
	return n && n <= NAME_LIMIT_BYTES && strspn(s, allowed) == n && *s != '.' && *s != '-';
}

static struct combination
combination(const json_t *record, unsigned long line)
{
	return (struct combination){
		json_string_value(json_object_get(record, "usecase")),
		json_string_value(json_object_get(record, "name")), json_object_get(record, "params"), line,
	};
}

static void
add_wanted(struct wanted *w, const char *line, size_t n)
{
	json_t *record = xparse_record(&w->in, line, n);
	if (strcmp(record_type(record), "combination") != 0) {
		json_decref(record);
		return;
	}
	struct combination c = combination(record, w->in.number);
	if (has_nul(record))
		fault(w, "a string with a NUL in it");
	if (!c.usecase || !c.name || !json_is_object(c.params))
		fault(w, "a combination wants \"usecase\" and \"name\", strings, and \"params\", an object");
	if (!safe_name(c.name))
		fault(w, "\"name\" is not of letters, digits, '.', '_' and '-' or is too long");
	if (json_object_get(w->names, c.name))
		die(ST_INPUT, "stdin:%lu:1: a second combination '%s'", w->in.number, c.name);
	json_object_set_new(w->names, c.name, json_null());
	json_object_set_new(w->usecases, c.usecase, json_null());
	json_object_update_missing(w->params, json_object_get(record, "params"));
	if ((w->n & (w->n - 1)) == 0)
		w->items = xrealloc(w->items, (w->n ? 2 * w->n : 1) * sizeof *w->items);
	w->items[w->n++] = (struct item){w->text.n, n, w->in.number};
	if (buf_add(&w->text, line, n + 1) < 0)
		fault(w, "more combinations than fit in 1 GiB");
	json_decref(record);
}

static void
read_wanted(struct wanted *w)
{
	char *line;
	size_t n;
	*w = (struct wanted){.in = {.name = "stdin"}};
	w->names = json_object(), w->usecases = json_object(), w->params = json_object();
	while ((line = xnext_line(&w->in, &n)))
		add_wanted(w, line, n);
	if (w->n == 0)
		die(ST_INPUT, "stdin:%lu:1: no combination", w->in.number + 1);
}

/* The record of an item, which was parsed before. */
static json_t *
record_of(struct wanted *w, const struct item *i)
{
	w->in.number = i->line;
	return xparse_record(&w->in, w->text.p + i->at, i->n);
}

static void
check_wanted(struct wanted *w, const struct template *t)
{
	for (size_t i = 0; i < w->n; i++) {
		json_t *record = record_of(w, &w->items[i]);
		struct combination c = combination(record, w->items[i].line);
		xcheck_combination(t, &c);
		json_decref(record);
	}
}

/* ---- files ---- */

static int dir_fd = -1;
static char temp[64];
static volatile sig_atomic_t temp_stands;

static void
on_signal(int sig)
{
	if (temp_stands)
		unlinkat(dir_fd, temp, 0);
	signal(sig, SIG_DFL);
	raise(sig);
}

_Noreturn static void
die_writing(const char *file)
{
	int saved = errno;
	if (temp_stands)
		unlinkat(dir_fd, temp, 0);
	errno = saved;
	die(ST_SYSTEM, "cannot write '%s/%s':", dir, file);
}

/* Whether the file itself, not what a link leads to, holds just this. */
static bool
holds(const char *file, const struct buf *want)
{
	char chunk[1 << 16];
	struct stat st;
	int fd = openat(dir_fd, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool same = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (size_t)st.st_size == want->n;
	size_t at = 0;
	while (same && at < want->n) {
		ssize_t got = read(fd, chunk, sizeof chunk);
		same = got > 0 && (size_t)got <= want->n - at && memcmp(chunk, want->p + at, (size_t)got) == 0;
		at += same ? (size_t)got : 0;
	}
	close(fd);
	return same;
}

/* Whole or not at all.  Not synced to the disk: the content is compared each
 * time, so what a crash of the machine loses is made again. */
static void
replace(const char *file, const struct buf *want)
{
	bool named;
	temp_stands = 1;	/* first: a signal may come as soon as it does */
	int fd = nameless_open(dir_fd, temp, 0666, &named);
	if (fd < 0)
		die_writing(file);
	for (size_t at = 0; at < want->n;) {
		ssize_t put = write(fd, want->p + at, want->n - at);
		if (put < 0 && errno != EINTR)
			die_writing(file);
		at += put > 0 ? (size_t)put : 0;
	}
	/* A disk that is far away may tell only now that it is full. */
	if ((named && close(fd) != 0) || nameless_put(dir_fd, fd, temp, file, named) != 0)
		die_writing(file);
	if (!named)
		close(fd);
	temp_stands = 0;
}

static void
open_dir(void)
{
	char hex[17];
	if (make_dirs(dir) != 0 || (dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		die(ST_SYSTEM, "cannot open '%s':", dir);
	xrandom_hex(hex, 16);
	snprintf(temp, sizeof temp, ".nbpatch-%s.tmp", hex);
	catch_signal(SIGTERM, on_signal);
	catch_signal(SIGHUP, on_signal);
	catch_signal(SIGINT, on_signal);
}

static size_t
write_all(struct wanted *w, const struct template *t)
{
	struct buf b = {0};
	char file[NAME_LIMIT_BYTES + sizeof ".ipynb"];
	size_t written = 0;
	for (size_t i = 0; i < w->n; i++) {
		json_t *record = record_of(w, &w->items[i]);
		struct combination c = combination(record, 0);
		b.n = 0;
		fill_template(t, &c, &b);
		snprintf(file, sizeof file, "%s.ipynb", c.name);
		if (!holds(file, &b)) {
			replace(file, &b);
			written++;
		}
		json_decref(record);
	}
	buf_free(&b);
	return written;
}

/* ---- pruning ---- */

/* Whether nbpatch made this file for one of these use cases: its own metadata
 * must say so, and say this name. */
static bool
is_ours(const struct wanted *w, const char *file, size_t stem)
{
	char *path = xasprintf("%s/%s", dir, file), *error = NULL;
	size_t n;
	struct stat st;
	bool regular = fstatat(dir_fd, file, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
	char *text = regular ? read_file(path, 0, &n) : NULL;
	json_t *root = text ? parse_json(text, n, path, &error) : NULL;
	json_t *mine = json_object_get(json_object_get(root, "metadata"), "nbscope");
	const char *usecase = json_string_value(json_object_get(mine, "usecase"));
	const char *name = json_string_value(json_object_get(mine, "name"));
	bool ours = usecase && name && json_object_get(w->usecases, usecase) &&
	    strlen(name) == stem && strncmp(name, file, stem) == 0;
	json_decref(root);
	free(text);
	free(error);
	free(path);
	return ours;
}

static size_t
prune_dir(const struct wanted *w)
{
	size_t removed = 0;
	DIR *d = fdopendir(dup(dir_fd));
	if (!d)
		die(ST_SYSTEM, "cannot read '%s':", dir);
	for (struct dirent *e; (e = readdir(d));) {
		size_t n = strlen(e->d_name), stem = n - strlen(".ipynb");
		if (n <= strlen(".ipynb") || strcmp(e->d_name + stem, ".ipynb") != 0)
			continue;
		if (json_object_getn(w->names, e->d_name, stem) || !is_ours(w, e->d_name, stem))
			continue;
		if (unlinkat(dir_fd, e->d_name, 0) != 0)
			die(ST_SYSTEM, "cannot remove '%s/%s':", dir, e->d_name);
		removed++;
	}
	closedir(d);
	return removed;
}

static void
put_one(struct wanted *w, const struct template *t)
{
	struct buf b = {0};
	if (w->n > 1)
		die_usage(&usage, "more than one combination: -o DIR is wanted");
	json_t *record = record_of(w, w->items);
	struct combination c = combination(record, 0);
	fill_template(t, &c, &b);
	xput_line(b.p, b.n - 1);
	json_decref(record);
	buf_free(&b);
}

int
main(int argc, char **argv)
{
	struct template t;
	struct wanted w;
	const char *path = xone_operand(argc, argv, &usage), *set = getenv("KERNEL");
	if (strcmp(path, "-") == 0)
		die_usage(&usage, "the template is a file: standard input has the combinations");
	if (prune && !dir)
		die_usage(&usage, "--prune wants -o DIR");
	xload_template(&t, path);
	read_wanted(&w);
	xcut_template(&t, kernel && *kernel ? kernel : set && *set ? set : NULL, w.params);
	check_wanted(&w, &t);
	if (!dir) {
		put_one(&w, &t);
	} else {
		open_dir();
		size_t written = write_all(&w, &t), removed = prune ? prune_dir(&w) : 0;
		logline(LV_INFO, "%s: %zu of %zu notebooks written, %zu removed", dir, written, w.n, removed);
	}
	xclose_stdout();
	return ST_OK;
}
