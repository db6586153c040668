/* run_defaults.h: the values of options that are not given, which are also those of make. */
#pragma once

#define RUN_SETTLE_MS 300
#define RUN_MAX_WAIT_S 300
#define RUN_SAMPLE_MS 50

/* For a help text: RUN_DEFAULT(RUN_SETTLE_MS) is "default 300". */
#define RUN_DEFAULT(value) RUN_DEFAULT_OF(value)
#define RUN_DEFAULT_OF(number) "default " #number
