/* leak_rounds.h: what kernel and page have in memory after each round of a notebook. */
#pragma once

#include <jansson.h>

/* The kernel is ready; settings: those of cellprofile, with "rounds"; opened: the question. */
void leak_rounds_open(const json_t *settings, const json_t *opened);
/* Writes the record of a round, from 1, and after the last one those of what holds what. */
void leak_rounds_measure(json_int_t round);
