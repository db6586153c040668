/* rapl.h: the energy counters that processors keep, below /sys/class/powercap. */
#ifndef RAPL_H
#define RAPL_H

#include <stddef.h>

struct rapl;
/* NULL and a line in `reason` where there is none that can be read. */
struct rapl *rapl_open(char *reason, size_t size);
void rapl_start(struct rapl *);	/* 0 J now */
/* Joules since the start; NaN and a line in `reason` when a counter cannot be
 * read now.  To be read again before a counter runs over twice (a minute). */
double rapl_joules(struct rapl *, char *reason, size_t size);
const char *rapl_domains(const struct rapl *);	/* "package-0 dram-0"; borrowed */
/* The power that the packages are designed for, which anybody may read even
 * where the counters are root's; NaN where it is not told. */
double rapl_design_watts(void);
void rapl_close(struct rapl *);	/* NULL is fine */

#endif
