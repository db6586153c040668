/* run_interaction.h: what an `interaction` record says of a gesture. */
#pragma once

#include "base/buf.h"
#include "json/scan.h"

/* Sets the buffer to what tables call it, as JSON text: its name, or if it has none, its input and
 * the element: "drag slider". */
void run_interaction_name(struct buf *, struct scan *interaction);
/* Seconds from its first input to the last visual change, or to the last input if that was later. */
double run_interaction_time(struct scan *interaction);
