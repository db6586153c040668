/* proctreeone.c: one process's numbers from /proc.
 *
 * Files stay open: reading one again costs a fifth of opening it, and a file of
 * a process that ended never shows the next one of the same number.
 */
#include "nbscope.h"
#include "proctreeone.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TEXT_BYTES = 4096, PATH_BYTES = 64, SPARE_FILES = 128, IDLE_READINGS = 8 };

static long kept;	/* files that stay open, of all processes */

static bool
may_keep(void)
{
	static long limit;
	if (!limit) {
		struct rlimit r;
		limit = getrlimit(RLIMIT_NOFILE, &r) != 0 ? 256 : r.rlim_cur > 1 << 20 ? 1 << 20 : (long)r.rlim_cur;
		limit -= SPARE_FILES;
	}
	return kept < limit;
}

static void
drop(int *fd)
{
	if (*fd >= 0) {
		close(*fd);
		kept--;
	}
	*fd = -1;
}

/* The text of a small file of /proc; `fd` may be NULL: never kept.  Returns its
 * length, or -1 and errno. */
static ssize_t
look(int *fd, const char *path, char text[TEXT_BYTES])
{
	int f = fd && *fd >= 0 ? *fd : open(path, O_RDONLY | O_CLOEXEC);
	if (f < 0)
		return -1;
	ssize_t n = pread(f, text, TEXT_BYTES - 1, 0);
	int saved = errno;
	text[n > 0 ? n : 0] = '\0';
	if (fd && *fd < 0 && n > 0 && may_keep()) {
		*fd = f;
		kept++;
	} else if (!fd || *fd != f) {
		close(f);
	}
	errno = saved;
	return n;
}

/* The next number of the text, past blanks and a sign. */
static uint64_t
number(const char **p)
{
	uint64_t x = 0;
	while (**p && (**p < '0' || **p > '9'))
		++*p;
	while (**p >= '0' && **p <= '9')
		x = x * 10 + (uint64_t)(*(*p)++ - '0');
	return x;
}

static uint64_t
number_after(const char *text, const char *key)
{
	const char *p = strstr(text, key);
	if (!p)
		return 0;
	p += strlen(key);
	return number(&p);
}

/* Why something is not known; the first reason stays. */
static void
lack(struct one *o, unsigned bit, const char *file)
{
	if (!o->reason[0])
		snprintf(o->reason, sizeof o->reason, "cannot read /proc/%ld/%s: %s", (long)o->pid, file, strerror(errno));
	o->unknown |= bit;
}

bool
one_clock(struct one *o, uint64_t *ns)
{
	struct timespec ts;
	if (clock_gettime(o->clock, &ts) != 0)
		return false;
	*ns = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
	return true;
}

/* stat: the name may hold anything, ')' too. */
static bool
read_stat(struct one *o)
{
	static uint64_t tick_ns;
	if (!tick_ns)
		tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
	char path[PATH_BYTES], text[TEXT_BYTES];
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)o->pid);
	if (look(&o->stat_fd, path, text) <= 0)
		return false;
	const char *p = strrchr(text, ')');
	if (!p || !p[1] || !p[2])
		return false;
	char state = p[2];
	o->parent = (pid_t)number(&p);
	o->group = (pid_t)number(&p);
	o->session = (pid_t)number(&p);
	number(&p);	/* tty */
	number(&p);	/* its group: may be -1, and the sign is skipped */
	number(&p);	/* flags */
	o->own[C_MINOR] = number(&p);
	o->reaped[C_MINOR] = number(&p);
	o->own[C_MAJOR] = number(&p);
	o->reaped[C_MAJOR] = number(&p);
	number(&p);	/* utime, stime: the clock is better */
	number(&p);
	o->reaped[C_CPU] = number(&p) * tick_ns;
	o->reaped[C_CPU] += number(&p) * tick_ns;
	number(&p);	/* priority, nice */
	number(&p);
	o->num_threads = (size_t)number(&p);
	number(&p);
	o->start_ticks = number(&p);
	/* A leader that ended before its threads shows Z while they live. */
	o->zombie = (state == 'Z' && o->num_threads <= 1) || state == 'X' || state == 'x';
	return true;
}

static void
read_statm(struct one *o)
{
	static uint64_t page;
	if (!page)
		page = (uint64_t)sysconf(_SC_PAGESIZE);
	char path[PATH_BYTES], text[TEXT_BYTES];
	snprintf(path, sizeof path, "/proc/%ld/statm", (long)o->pid);
	if (look(&o->statm_fd, path, text) <= 0) {
		if (errno != ESRCH)
			lack(o, PT_NO_MEMORY, "statm");
		return;
	}
	const char *p = text;
	number(&p);
	o->rss_bytes = number(&p) * page;
	o->anon_bytes = number(&p) * page;	/* of files, and shared */
	o->anon_bytes = o->rss_bytes > o->anon_bytes ? o->rss_bytes - o->anon_bytes : 0;
}

/* Between vfork() and exec() a child shows its parent's memory as its own.  Where the
 * system does not tell, all is its own. */
static bool
borrows(struct one *o)
{
	if (!o->owns)
		o->owns = syscall(SYS_kcmp, o->pid, o->parent, KCMP_VM, 0, 0) != 0;
	return !o->owns;
}

static void
read_io(struct one *o)
{
	char path[PATH_BYTES], text[TEXT_BYTES];
	if (o->unknown & PT_NO_IO)
		return;
	snprintf(path, sizeof path, "/proc/%ld/io", (long)o->pid);
	if (look(&o->io_fd, path, text) <= 0) {
		if (errno != ESRCH && errno != ENOENT)
			lack(o, PT_NO_IO, "io");
		return;
	}
	const char *p = text;
	o->own[C_SYSREAD] = number(&p);
	o->own[C_SYSWRITE] = number(&p);
	o->own[C_READCALLS] = number(&p);
	o->own[C_WRITECALLS] = number(&p);
	o->own[C_READ] = number_after(p, "\nread_bytes:");
	o->own[C_WRITE] = number_after(p, "\nwrite_bytes:");
}

static void
read_pss(struct one *o)
{
	char path[PATH_BYTES], text[TEXT_BYTES];
	snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", (long)o->pid);
	o->unknown &= ~(unsigned)PT_NO_PSS;
	if (look(NULL, path, text) > 0)
		o->pss_bytes = number_after(text, "\nPss:") * 1024;
	else if (errno != ESRCH && errno != ENOENT)
		lack(o, PT_NO_PSS, "smaps_rollup");
}

/* ---- threads ------------------------------------------------------------------- */

/* What it had stays in the process's sums; only its files go. */
static void
forget_thread(struct one *o, size_t i)
{
	drop(&o->threads[i].fd);
	memmove(&o->threads[i], &o->threads[i + 1], (--o->n_threads - i) * sizeof *o->threads);
}

static void
add_thread(struct one *o, pid_t tid)
{
	if (o->n_threads == o->cap_threads)
		o->threads = xrealloc(o->threads, (o->cap_threads = o->cap_threads ? o->cap_threads * 2 : 8) * sizeof *o->threads);
	o->threads[o->n_threads++] = (struct thread){.tid = tid, .fd = -1, .seen = true, .is_new = true};
}

/* Marks the thread as seen; the kernel lists them in the order of their birth,
 * so the next one is nearly always the one after the last. */
static bool
saw_thread(struct one *o, size_t old, pid_t tid, size_t *next)
{
	for (size_t k = 0; k < old; k++) {
		struct thread *t = &o->threads[(*next + k) % old];
		if (t->tid == tid) {
			t->seen = true;
			*next += k + 1;
			return true;
		}
	}
	return false;
}

static void
list_threads(struct one *o)
{
	char path[PATH_BYTES];
	snprintf(path, sizeof path, "/proc/%ld/task", (long)o->pid);
	DIR *dir = opendir(path);
	if (!dir)
		return;
	size_t next = 0, old = o->n_threads;
	for (size_t k = 0; k < old; k++)
		o->threads[k].seen = false;
	for (struct dirent *e; (e = readdir(dir)); ) {
		pid_t tid = (pid_t)strtol(e->d_name, NULL, 10);
		if (tid > 0 && !saw_thread(o, old, tid, &next))
			add_thread(o, tid);
	}
	closedir(dir);
	for (size_t k = o->n_threads; k-- > 0; )
		if (!o->threads[k].seen)
			forget_thread(o, k);
}

/* By how much it grew. A thread that ended may have left its id to a later one. */
static uint64_t
growth(uint64_t *before, uint64_t now)
{
	uint64_t grown = now >= *before ? now - *before : now;
	*before = now;
	return grown;
}

/* A thread that is gone gets no id: the next list drops it. */
static void
lost_thread(struct one *o, struct thread *t, unsigned bit, const char *file)
{
	if (errno == ESRCH || errno == ENOENT)
		t->tid = 0;
	else
		lack(o, bit, file);
}

static void
read_thread(struct one *o, struct thread *t, int what)
{
	char path[PATH_BYTES], text[TEXT_BYTES];
	if (t->tid && what & PT_DELAY) {
		snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)o->pid, (long)t->tid);
		if (look(&t->fd, path, text) > 0) {
			const char *p = text;
			number(&p);
			o->own[C_DELAY] += growth(&t->delay_ns, number(&p));
			uint64_t switches = growth(&t->switches, number(&p));
			o->own[C_SWITCHES] += switches;
			t->idle = switches ? 0 : t->idle + 1;
		} else {
			lost_thread(o, t, PT_NO_DELAY, "task/schedstat");
		}
	}
	if (t->tid && what & PT_SWITCHES) {
		snprintf(path, sizeof path, "/proc/%ld/task/%ld/status", (long)o->pid, (long)t->tid);
		if (look(NULL, path, text) > 0) {
			o->own[C_VOLUNTARY] += growth(&t->voluntary, number_after(text, "\nvoluntary_ctxt_switches:"));
			o->own[C_INVOLUNTARY] += growth(&t->involuntary, number_after(text, "\nnonvoluntary_ctxt_switches:"));
		} else {
			lost_thread(o, t, PT_NO_SWITCHES, "task/status");
		}
	}
}

/* False when one of them was gone. */
static bool
read_threads(struct one *o, int what, bool only_new)
{
	bool all = true;
	for (size_t i = 0; i < o->n_threads; i++) {
		struct thread *t = &o->threads[i];
		if (only_new && !t->is_new)
			continue;
		t->is_new = false;
		if (what & PT_RESTING && t->idle >= IDLE_READINGS && t->idle++ % IDLE_READINGS)
			continue;
		read_thread(o, t, what);
		all = all && t->tid;
	}
	return all;
}

/* ---- one process ---------------------------------------------------------------- */

bool
one_open(struct one *o, pid_t pid)
{
	*o = (struct one){.pid = pid, .stat_fd = -1, .statm_fd = -1, .io_fd = -1};
	if (clock_getcpuclockid(pid, &o->clock) == 0 && read_stat(o))
		return true;
	one_close(o);
	return false;
}

void
one_close(struct one *o)
{
	drop(&o->stat_fd);
	drop(&o->statm_fd);
	drop(&o->io_fd);
	for (size_t i = 0; i < o->n_threads; i++)
		drop(&o->threads[i].fd);
	free(o->threads);
	o->threads = NULL;
	o->n_threads = o->cap_threads = 0;
}

void
one_read(struct one *o, int what)
{
	uint64_t ns;
	if (!read_stat(o)) {
		o->gone = true;
		return;
	}
	/* After the file, which is surely this process's and not a later one's. */
	if (one_clock(o, &ns) && ns >= o->own[C_CPU])
		o->own[C_CPU] = o->clock_ns = ns;
	read_io(o);
	bool none = o->zombie || borrows(o);
	if (none)
		o->rss_bytes = o->anon_bytes = o->pss_bytes = 0;
	else
		read_statm(o);
	if (!none && what & PT_PSS)
		read_pss(o);
	if (!(what & (PT_DELAY | PT_SWITCHES)))
		return;
	if (o->num_threads != o->n_threads)
		list_threads(o);
	if (!read_threads(o, what, false)) {
		list_threads(o);	/* as many were born as ended */
		read_threads(o, what, true);
	}
}

int
one_reset_mark(const struct one *o)
{
	char path[PATH_BYTES];
	snprintf(path, sizeof path, "/proc/%ld/clear_refs", (long)o->pid);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t n = write(fd, "5\n", 2);
	int saved = errno;
	close(fd);
	errno = saved;
	return n == 2 ? 0 : -1;
}

int
one_mark(const struct one *o, uint64_t *bytes)
{
	char path[PATH_BYTES], text[TEXT_BYTES];
	snprintf(path, sizeof path, "/proc/%ld/status", (long)o->pid);
	if (look(NULL, path, text) <= 0)
		return -1;
	*bytes = number_after(text, "\nVmHWM:") * 1024;
	return 0;
}
