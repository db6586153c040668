/* interaction_record.h: what share/page/gesture.js reports of a gesture, as records. */
#pragma once

#include <jansson.h>

/* Calls write(), which takes them, with an interaction_step for each of the answer's steps and with
 * the interaction.  number: which gesture of the run it is.  more: members to be added, taken; or
 * NULL. */
void interaction_record_write(const json_t *answer, json_int_t number, json_t *more,
    void (*write)(json_t *));
