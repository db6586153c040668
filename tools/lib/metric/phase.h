/* phase.h: the phases of a cell's time, and their colours, which are the same in all pictures. */
#ifndef PHASE_H
#define PHASE_H

enum phase {
	PHASE_QUEUE,
	PHASE_KERNEL,
	PHASE_DELIVERY,
	PHASE_RENDER,
	PHASE_TRANSPORT,	/* instead of queue and delivery, where they cannot be separated */
	N_PHASES,
};
struct phase_look {
	const char *name, *light, *dark;	/* colours on a light and on a dark ground */
};
extern const struct phase_look phase_looks[N_PHASES];

#endif
