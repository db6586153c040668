/* performer.h: performs gestures in the page of a driver, and has their records written. */
#pragma once

#include "interaction.h"

struct performer;
/* `opened`: the driver's question of that type.  screenshots: a folder for pictures of gestures
 * that were not completed, film: one for the frames of all of them, or NULL; pace: of all gestures,
 * or NULL. */
struct performer *performer_open(const json_t *opened, const char *screenshots, const char *film,
    const char *pace);
/* Performs it after this cell. */
void performer_perform(struct performer *, const struct interaction *,
    const struct notebook_cell *);
/* Writes why it is not performed. */
void performer_skip(const struct interaction *, const struct notebook_cell *, const char *why);
