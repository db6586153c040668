/* scorep_tags.h: tags of cells that say the environment and the arguments of Score-P:
 * profile-scorep:NAME=VALUE and profile-scorep:--ARGUMENT. */
#ifndef SCOREP_TAGS_H
#define SCOREP_TAGS_H

#include <jansson.h>

#define SCOREP_TAGS_BEGIN "profile-scorep:"

/* Those of a cell's tags. */
json_t *scorep_tags_of(const json_t *tags);
/* Those of all cells. */
json_t *scorep_tags_of_notebook(const json_t *notebook);

#endif
