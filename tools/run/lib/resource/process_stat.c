/* process_stat.c: one process's numbers from /proc.  Files stay open: reading one again costs a
 * fifth of opening it, and the file of a process that ended never shows a later process with the
 * same id. */
#include "resource/process_stat.h"
#include "base/die.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_BYTES = 4096, PATH_BYTES = 64, SPARE_FILES = 128, IDLE_READINGS = 8 };

static long open_files;	/* of all processes */

static bool
may_stay_open(void)
{
	static long limit;
	if (!limit) {
		struct rlimit r;
		bool known = getrlimit(RLIMIT_NOFILE, &r) == 0;
		limit = !known ? 256 : r.rlim_cur > 1 << 20 ? 1 << 20 : (long)r.rlim_cur;
		limit -= SPARE_FILES;
	}
	return open_files < limit;
}

static void
close_file(int *fd)
{
	if (*fd >= 0) {
		close(*fd);
		open_files--;
	}
	*fd = -1;
}

/* Reads a small file of a process, which stays open in *fd unless `fd` is NULL.  Returns the
 * length of the text, or -1 and errno. */
static ssize_t
read_text(int *fd, pid_t pid, const char *file, char text[TEXT_BYTES])
{
	char path[PATH_BYTES];
	int f = fd ? *fd : -1;
	if (f < 0) {
		snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, file);
		f = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (f < 0)
		return -1;
	ssize_t n = pread(f, text, TEXT_BYTES - 1, 0);
	int saved = errno;
	text[n > 0 ? n : 0] = '\0';
	if (fd && *fd < 0 && n > 0 && may_stay_open()) {
		*fd = f;
		open_files++;
	} else if (!fd || *fd != f) {
		close(f);
	}
	errno = saved;
	return n;
}

/* The next number in the text, after blanks and a sign. */
static uint64_t
next_number(const char **p)
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
	return next_number(&p);
}

/* Notes why something is unknown; the first reason stays. */
static void
note_unknown(struct process_stat *s, unsigned bit, const char *file)
{
	if (!s->reason[0])
		snprintf(s->reason, sizeof s->reason, "cannot read /proc/%ld/%s: %s", (long)s->pid,
		    file, strerror(errno));
	s->unknown |= bit;
}

bool
process_stat_clock(struct process_stat *s, uint64_t *ns)
{
	struct timespec ts;
	if (clock_gettime(s->clock, &ts) != 0)
		return false;
	*ns = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
	return true;
}

/* The process's name in the file may contain anything, including ')'. */
static bool
read_stat(struct process_stat *s)
{
	static uint64_t tick_ns;
	if (!tick_ns)
		tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
	char text[TEXT_BYTES];
	if (read_text(&s->stat_fd, s->pid, "stat", text) <= 0)
		return false;
	const char *p = strrchr(text, ')');
	if (!p || !p[1] || !p[2])
		return false;
	char state = p[2];
	s->parent = (pid_t)next_number(&p);
	s->group = (pid_t)next_number(&p);
	s->session = (pid_t)next_number(&p);
	next_number(&p);	/* tty */
	next_number(&p);	/* the tty's group: may be -1, and the sign is skipped */
	next_number(&p);	/* flags */
	s->own[C_MINOR] = next_number(&p);
	s->reaped[C_MINOR] = next_number(&p);
	s->own[C_MAJOR] = next_number(&p);
	s->reaped[C_MAJOR] = next_number(&p);
	next_number(&p);	/* utime, stime: the clock is finer */
	next_number(&p);
	s->reaped[C_CPU] = next_number(&p) * tick_ns;
	s->reaped[C_CPU] += next_number(&p) * tick_ns;
	next_number(&p);	/* priority, nice */
	next_number(&p);
	s->num_threads = (size_t)next_number(&p);
	next_number(&p);
	s->start_ticks = next_number(&p);
	/* A leader that ended before its threads is shown as Z while they live. */
	s->zombie = (state == 'Z' && s->num_threads <= 1) || state == 'X' || state == 'x';
	return true;
}

static void
read_statm(struct process_stat *s)
{
	static uint64_t page;
	if (!page)
		page = (uint64_t)sysconf(_SC_PAGESIZE);
	char text[TEXT_BYTES];
	if (read_text(&s->statm_fd, s->pid, "statm", text) <= 0) {
		if (errno != ESRCH)
			note_unknown(s, PT_NO_MEMORY, "statm");
		return;
	}
	const char *p = text;
	next_number(&p);
	s->rss_bytes = next_number(&p) * page;
	uint64_t shared_bytes = next_number(&p) * page;	/* of files and shared memory */
	s->anon_bytes = s->rss_bytes > shared_bytes ? s->rss_bytes - shared_bytes : 0;
}

/* Between vfork() and exec() a child shows its parent's memory as its own.  Where kcmp() is not
 * allowed, its memory counts as its own. */
static bool
owns_memory(struct process_stat *s)
{
	if (!s->owns_memory)
		s->owns_memory = syscall(SYS_kcmp, s->pid, s->parent, KCMP_VM, 0, 0) != 0;
	return s->owns_memory;
}

static void
read_io(struct process_stat *s)
{
	char text[TEXT_BYTES];
	if (s->unknown & PT_NO_IO)
		return;
	if (read_text(&s->io_fd, s->pid, "io", text) <= 0) {
		if (errno != ESRCH && errno != ENOENT)
			note_unknown(s, PT_NO_IO, "io");
		return;
	}
	const char *p = text;
	s->own[C_SYSREAD] = next_number(&p);
	s->own[C_SYSWRITE] = next_number(&p);
	s->own[C_READCALLS] = next_number(&p);
	s->own[C_WRITECALLS] = next_number(&p);
	s->own[C_READ] = number_after(p, "\nread_bytes:");
	s->own[C_WRITE] = number_after(p, "\nwrite_bytes:");
}

static void
read_pss(struct process_stat *s)
{
	char text[TEXT_BYTES];
	s->unknown &= ~(unsigned)PT_NO_PSS;
	if (read_text(NULL, s->pid, "smaps_rollup", text) > 0)
		s->pss_bytes = number_after(text, "\nPss:") * 1024;
	else if (errno != ESRCH && errno != ENOENT)
		note_unknown(s, PT_NO_PSS, "smaps_rollup");
}

/* ---- threads ------------------------------------------------------------------- */

/* Its numbers stay in the process's sums. */
static void
forget_thread(struct process_stat *s, size_t i)
{
	close_file(&s->threads[i].fd);
	memmove(&s->threads[i], &s->threads[i + 1], (--s->n_threads - i) * sizeof *s->threads);
}

static void
add_thread(struct process_stat *s, pid_t tid)
{
	*XAPPEND(s->threads, s->n_threads) = (struct process_thread){
		.tid = tid, .fd = -1, .seen = true, .is_new = true,
	};
}

/* Marks the thread as seen; false if it is new.  The kernel lists threads in the order of their
 * creation, so the next one is nearly always the one after the last. */
static bool
mark_thread_seen(struct process_stat *s, size_t old, pid_t tid, size_t *next)
{
	for (size_t k = 0; k < old; k++) {
		struct process_thread *t = &s->threads[(*next + k) % old];
		if (t->tid == tid) {
			t->seen = true;
			*next += k + 1;
			return true;
		}
	}
	return false;
}

static void
list_threads(struct process_stat *s)
{
	char path[PATH_BYTES];
	snprintf(path, sizeof path, "/proc/%ld/task", (long)s->pid);
	DIR *dir = opendir(path);
	if (!dir)
		return;
	size_t next = 0, old = s->n_threads;
	for (size_t k = 0; k < old; k++)
		s->threads[k].seen = false;
	for (struct dirent *e; (e = readdir(dir)); ) {
		pid_t tid = (pid_t)strtol(e->d_name, NULL, 10);
		if (tid > 0 && !mark_thread_seen(s, old, tid, &next))
			add_thread(s, tid);
	}
	closedir(dir);
	for (size_t k = s->n_threads; k-- > 0; )
		if (!s->threads[k].seen)
			forget_thread(s, k);
}

/* Returns by how much it grew. A later thread may have the id of one that ended. */
static uint64_t
increase(uint64_t *before, uint64_t now)
{
	uint64_t grown = now >= *before ? now - *before : now;
	*before = now;
	return grown;
}

/* A thread that is gone has no id: the next list_threads() removes it. */
static void
on_unreadable_thread(struct process_stat *s, struct process_thread *t, unsigned bit,
    const char *file)
{
	if (errno == ESRCH || errno == ENOENT)
		t->tid = 0;
	else
		note_unknown(s, bit, file);
}

static void
read_thread_delay(struct process_stat *s, struct process_thread *t)
{
	char file[PATH_BYTES], text[TEXT_BYTES];
	snprintf(file, sizeof file, "task/%ld/schedstat", (long)t->tid);
	if (read_text(&t->fd, s->pid, file, text) <= 0) {
		on_unreadable_thread(s, t, PT_NO_DELAY, "task/schedstat");
		return;
	}
	const char *p = text;
	next_number(&p);
	s->own[C_DELAY] += increase(&t->delay_ns, next_number(&p));
	uint64_t switches = increase(&t->switches, next_number(&p));
	s->own[C_SWITCHES] += switches;
	t->idle = switches ? 0 : t->idle + 1;
}

static void
read_thread_switches(struct process_stat *s, struct process_thread *t)
{
	char file[PATH_BYTES], text[TEXT_BYTES];
	snprintf(file, sizeof file, "task/%ld/status", (long)t->tid);
	if (read_text(NULL, s->pid, file, text) <= 0) {
		on_unreadable_thread(s, t, PT_NO_SWITCHES, "task/status");
		return;
	}
	uint64_t voluntary = number_after(text, "\nvoluntary_ctxt_switches:");
	uint64_t involuntary = number_after(text, "\nnonvoluntary_ctxt_switches:");
	s->own[C_VOLUNTARY] += increase(&t->voluntary, voluntary);
	s->own[C_INVOLUNTARY] += increase(&t->involuntary, involuntary);
}

/* False if one of them was gone. */
static bool
read_threads(struct process_stat *s, int what, bool only_new)
{
	bool all = true;
	for (size_t i = 0; i < s->n_threads; i++) {
		struct process_thread *t = &s->threads[i];
		if (only_new && !t->is_new)
			continue;
		t->is_new = false;
		if (what & PT_RESTING && t->idle >= IDLE_READINGS && t->idle++ % IDLE_READINGS)
			continue;
		if (t->tid && what & PT_DELAY)
			read_thread_delay(s, t);
		if (t->tid && what & PT_SWITCHES)
			read_thread_switches(s, t);
		all = all && t->tid;
	}
	return all;
}

/* ---- one process ---------------------------------------------------------------- */

bool
process_stat_open(struct process_stat *s, pid_t pid)
{
	*s = (struct process_stat){.pid = pid, .stat_fd = -1, .statm_fd = -1, .io_fd = -1};
	if (clock_getcpuclockid(pid, &s->clock) == 0 && read_stat(s))
		return true;
	process_stat_close(s);
	return false;
}

void
process_stat_close(struct process_stat *s)
{
	close_file(&s->stat_fd);
	close_file(&s->statm_fd);
	close_file(&s->io_fd);
	for (size_t i = 0; i < s->n_threads; i++)
		close_file(&s->threads[i].fd);
	free(s->threads);
	s->threads = NULL;
	s->n_threads = 0;
}

void
process_stat_read(struct process_stat *s, int what)
{
	uint64_t ns;
	if (!read_stat(s)) {
		s->gone = true;
		return;
	}
	/* The clock is read after the file, which belongs to this process and not to a later one
	 * with its id. */
	if (process_stat_clock(s, &ns) && ns >= s->own[C_CPU])
		s->own[C_CPU] = s->clock_ns = ns;
	read_io(s);
	bool has_memory = !s->zombie && owns_memory(s);
	if (has_memory)
		read_statm(s);
	else
		s->rss_bytes = s->anon_bytes = s->pss_bytes = 0;
	if (has_memory && what & PT_PSS)
		read_pss(s);
	if (!(what & (PT_DELAY | PT_SWITCHES)))
		return;
	if (s->num_threads != s->n_threads)
		list_threads(s);
	if (!read_threads(s, what, false)) {
		list_threads(s);	/* as many have started as ended */
		read_threads(s, what, true);
	}
}

int
process_stat_reset_peak(const struct process_stat *s)
{
	char path[PATH_BYTES];
	snprintf(path, sizeof path, "/proc/%ld/clear_refs", (long)s->pid);
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
process_stat_peak(const struct process_stat *s, uint64_t *bytes)
{
	char text[TEXT_BYTES];
	if (read_text(NULL, s->pid, "status", text) <= 0)
		return -1;
	*bytes = number_after(text, "\nVmHWM:") * 1024;
	return 0;
}
