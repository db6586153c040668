# Settings of this use case; the command line and the environment win.
#MAX_WAIT_TIME ?= 300
#VIZ_SELECTOR ?= .bqplot
# The memory that a combination needs, in bytes; those beyond the machine are skipped.
#MEMORY_BYTES ?= n_points * 16 + 500e6
