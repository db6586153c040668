/* machine_line.h: whether the machine was as steady as when it was calibrated. */
#pragma once

#include "json/scan.h"

/* A machine_noise record; the latest counts. */
void machine_line_read(struct scan *);
/* Prints the line in `columns`; nothing if there was no record.  `calibration` is the file with the
 * record of the last calibration, which may be missing; NULL: there is nothing to compare with. */
void machine_line_put(const char *calibration, size_t columns);
