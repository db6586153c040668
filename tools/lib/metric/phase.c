/* phase.c: the phases of a cell's time, and their colours. */
#include "metric/phase.h"

const struct phase_look phase_looks[N_PHASES] = {
	[PHASE_QUEUE] = {"queue", "#a3adb8", "#76828f"},
	[PHASE_KERNEL] = {"kernel", "#2c66ab", "#639fe4"},
	[PHASE_DELIVERY] = {"delivery", "#e3a81b", "#ebbd4a"},
	[PHASE_RENDER] = {"render", "#b3405e", "#e5708f"},
	[PHASE_TRANSPORT] = {"transport", "#8b7fa8", "#aa9dcb"},
};
