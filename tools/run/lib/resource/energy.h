/* energy.h: the machine's joules: counted by the processors (RAPL), or estimated by a model.
 * The model and its limits are in nbscope-energy(7). */
#pragma once

#include <jansson.h>

/* Dies now if a setting that is used later is bad: those of energy_share.h, CPU_WATTS or
 * MEMORY_WATTS. */
void xenergy_check(void);

struct energy;
/* Dies with ST_USAGE on a bad setting. */
struct energy *xenergy_open(long processors);
void energy_start(struct energy *);	/* counts from 0 J now */
/* Sets energy_j, energy_method, energy_reason and what they were made from.  busy_s (NaN:
 * unknown) and elapsed_s are since the start. */
void energy_fill(struct energy *, json_t *record, double busy_s, double elapsed_s);
void energy_close(struct energy *);	/* NULL is fine */
