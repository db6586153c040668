/* compare_env.h: how the environments of two labels differ, and whether they may. */
#pragma once

#include "compare_test.h"

/* Appends the differences between the label's environment and the base's. */
void compare_env(struct comparison *, size_t label, const struct compare_settings *);
/* Appends a difference if the label's runs were made with different packages. */
void compare_env_mixed(struct comparison *, size_t label, const struct compare_settings *);
