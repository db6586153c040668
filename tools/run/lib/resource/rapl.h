/* rapl.h: the processors' own energy counters, in /sys/class/powercap. */
#pragma once

#include <stddef.h>

struct rapl;
/* NULL and a line in `reason` if there is none that can be read. */
struct rapl *rapl_open(char *reason, size_t size);
void rapl_start(struct rapl *);	/* counts from 0 J now */
/* Joules since the start; NaN and a line in `reason` if a counter cannot be read now.  Must be
 * called before a counter can wrap around twice (a minute). */
double rapl_joules(struct rapl *, char *reason, size_t size);
const char *rapl_domains(const struct rapl *);	/* "package-0, dram of package-0"; borrowed */
/* The design power of the packages, which anybody may read even if the counters are root's;
 * NaN if unknown. */
double rapl_design_watts(void);
void rapl_close(struct rapl *);	/* NULL is fine */
