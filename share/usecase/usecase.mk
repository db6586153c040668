# Settings of this use case; the command line and the environment have precedence.
#MAX_WAIT_TIME ?= 300
#VIZ_SELECTOR ?= .bqplot
# The memory that a combination needs, in bytes; those that need more than the machine has are
# skipped.
#MEMORY_BYTES ?= n_points * 16 + 500e6
# What the template imports that nbscope's own Python environment has, and another one may lack.
own_packages := bqplot
