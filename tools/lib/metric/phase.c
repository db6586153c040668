/* phase.c: the phases of a cell's time, and their colours.
 * Phases that may adjoin differ by at least 15 in lightness (CIE L*), also for colour-blind people:
 * all pairs but queue and transport.  tests/metricplot.bats computes it. */
#include "metric/phase.h"

const struct phase_look phase_looks[N_PHASES] = {
	[PHASE_QUEUE] = {"queue", "#94a3b0", "#4a5863"},
	[PHASE_KERNEL] = {"kernel", "#083b65", "#5286bf"},
	[PHASE_DELIVERY] = {"delivery", "#ffcd6b", "#fef1bd"},
	[PHASE_RENDER] = {"render", "#ad5571", "#ffa8b5"},
	[PHASE_TRANSPORT] = {"transport", "#a997cb", "#5d4f82"},
};
