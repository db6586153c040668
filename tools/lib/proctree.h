/* proctree.h: what a process and all its descendants used, since a moment.
 *
 * Sums never fall: a process that ends keeps its part, and one that is born and
 * gone between two readings is counted through its parent, to which the kernel
 * adds its CPU (10 ms ticks), faults and I/O when it is waited for.  Switches
 * and run delay have no such heir: of those the last reading counts.
 */
#ifndef PROCTREE_H
#define PROCTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What a reading may cost: bits of `what`. */
enum {
	PT_FAST = 0,		/* CPU of all; files of those that used 1 ms of it, else within 0.2 s; threads of all but the root's within 0.1 s */
	PT_SWITCHES = 1,	/* voluntary and involuntary: about 20 us a thread */
	PT_PSS = 2,		/* walks the page tables: 0.1 to 3 ms a process, which waits if it maps memory meanwhile */
	PT_DELAY = 4,		/* run delay and switches: about 1 us a thread that is looked at */
	PT_WHOLE = 8,		/* every process, also those whose clock stood: at a cell's ends */
};

/* What could not be read of at least one process, bits of `unknown`. */
enum { PT_NO_IO = 1, PT_NO_PSS = 2, PT_NO_MEMORY = 4, PT_NO_DELAY = 8, PT_NO_SWITCHES = 16 };

struct proc_usage {
	/* cumulative since proctree_open */
	uint64_t cpu_ns;		/* a running thread's last tick (4 ms at 250 Hz) may be missing */
	uint64_t delay_ns;		/* runnable, and waiting for a core; last PT_DELAY reading */
	uint64_t switches;		/* how often threads got a core; last PT_DELAY reading */
	uint64_t switches_voluntary, switches_involuntary;	/* last PT_SWITCHES reading */
	uint64_t minor_faults, major_faults;
	uint64_t read_bytes, write_bytes;		/* storage */
	uint64_t syscall_read_bytes, syscall_write_bytes;
	uint64_t read_calls, write_calls;
	/* now */
	uint64_t rss_bytes;		/* sum: pages that two share count twice */
	uint64_t anon_bytes;		/* of it what is no file and not shared memory: a browser's processes share most of the rest */
	uint64_t pss_bytes;		/* last PT_PSS reading */
	uint64_t peak_rss_bytes;	/* highest sum that a reading saw since the last reset */
	size_t processes, threads;	/* zombies are none */
	bool ended;			/* nothing of it lives any more */
	unsigned unknown;
	char reason[128];		/* of the first bit in `unknown`; "" if none */
};

struct proctree;
/* NULL and a line in error: there is no such process, or it is hidden. */
struct proctree *proctree_open(pid_t root, char error[256]);
/* 0; -1 only when /proc itself cannot be read any more. */
int proctree_read(struct proctree *, int what, struct proc_usage *);
/* The high-water marks of all its processes down to what they hold now; -1 and
 * errno when that of the root cannot be. */
int proctree_reset_peak(struct proctree *);
/* The highest RSS of the whole tree since the last reset, and how it is known:
 * "vmhwm"    one process alone, or the bounds lie within 1 %: exact;
 * "sampled"  several: the larger of the highest sum that was read and the
 *            highest mark of one process with what the others held all along.
 * -1: nothing could be read; *method is why. */
int proctree_peak(struct proctree *, uint64_t *bytes, const char **method);
/* A watched process inside another's tree belongs to the inner one only. */
void proctree_exclude(struct proctree *, const struct proctree *inner);
/* The caller becomes the parent of all that lose theirs, and waits for them once
 * they were read: nothing of them is lost.  `but` is another child of its own. */
void proctree_adopt(struct proctree *, pid_t but);
pid_t proctree_root(const struct proctree *);
void proctree_close(struct proctree *);

#endif
