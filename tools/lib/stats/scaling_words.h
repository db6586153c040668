/* scaling_words.h: how a cost grows, in words. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether these show that the cost depends on the parameter: from three of its values on, and an
 * interval of its exponent that excludes 0. */
bool scaling_holds(size_t levels, double low, double high);
/* "quadratic", "linear", "between linear and quadratic"...; where scaling does not hold,
 * "constant" or "unknown"; the caller's.  levels: how many values the parameter has. */
char *scaling_word(size_t levels, double k, double low, double high);
/* "no simple law fits (off by 30 %, runs differ by 3 %)"; the caller's. */
char *scaling_bad_text(double off, double noise);
/* "1.91 to 2.05", "1.20 or more", "any"; the caller's. */
char *scaling_interval(double low, double high);
