/* process_stat.h: one process's numbers from /proc, for the modules of a process tree. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* What a reading may cost, bits of `what`. */
enum {
	/* CPU time of all processes; files of those that used 1 ms of it, and of the others
	 * within 0.2 s; threads of all but the root's within 0.1 s. */
	PT_FAST = 0,
	PT_SWITCHES = 1,	/* voluntary and involuntary: about 20 us per thread */
	/* Walks the page tables: 0.1 to 3 ms per process, which blocks if it maps memory. */
	PT_PSS = 2,
	PT_DELAY = 4,	/* run-queue wait and switches: about 1 us per thread that is read */
	PT_WHOLE = 8,	/* every process, even if it used no CPU time: at the ends of a cell */
	/* leave out, with PT_DELAY, most threads that have been idle for a while */
	PT_RESTING = 1 << 16,
};

/* What could not be read of at least one process, bits of `unknown`. */
enum { PT_NO_IO = 1, PT_NO_PSS = 2, PT_NO_MEMORY = 4, PT_NO_DELAY = 8, PT_NO_SWITCHES = 16 };

/* The first ones are added to the parent's when it waits for the child. */
enum counter {
	C_CPU, C_MINOR, C_MAJOR, C_READ, C_WRITE, C_SYSREAD, C_SYSWRITE, C_READCALLS, C_WRITECALLS,
	C_DELAY, C_SWITCHES, C_VOLUNTARY, C_INVOLUNTARY, COUNTERS,
	C_INHERITED = C_DELAY	/* how many of them are */
};

struct process_thread {
	pid_t tid;
	int fd;			/* its schedstat, or -1 */
	bool seen, is_new;
	unsigned idle;	/* readings since it last got a core */
	uint64_t delay_ns, switches, voluntary, involuntary;
};

struct process_stat {
	pid_t pid, parent, group, session;
	uint64_t start_ticks;	/* with the pid: which process it is */
	clockid_t clock;
	uint64_t clock_ns;	/* when its files were last read */
	int stat_fd, statm_fd, io_fd;
	struct process_thread *threads;
	size_t n_threads;
	size_t num_threads;	/* as the kernel says */
	uint64_t own[COUNTERS];		/* of all its threads; I/O: and of children waited for */
	uint64_t reaped[COUNTERS];	/* of children waited for */
	uint64_t rss_bytes, anon_bytes, pss_bytes;
	bool zombie, gone;
	bool owns_memory;	/* it is not its parent's */
	unsigned unknown;
	char reason[128];
};

/* False if there is no such process, or it cannot be read. */
bool process_stat_open(struct process_stat *, pid_t);
void process_stat_close(struct process_stat *);
/* Its CPU clock; false if it is gone. */
bool process_stat_clock(struct process_stat *, uint64_t *ns);
/* Reads its files and those of its threads; sets `gone` if it is. */
void process_stat_read(struct process_stat *, int what);
/* The high-water mark of its RSS; 0, or -1 and errno. */
int process_stat_reset_peak(const struct process_stat *);
int process_stat_peak(const struct process_stat *, uint64_t *bytes);
