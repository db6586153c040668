/* model_flame.h: a flame graph of a cell, in the model of a report. */
#ifndef MODEL_FLAME_H
#define MODEL_FLAME_H

#include "profile/profile_fold.h"

#include <jansson.h>

/* Null: there are neither stacks nor functions. */
json_t *model_flame(const struct profile_cell *);

#endif
