# calibrate: cells that know their truth; `make calibrate` runs it and makes the table of bias and spread.

# Spread needs repetitions.
REPEAT ?= 5

# No cell of it takes long: what has not come by then is not coming.
MAX_WAIT_TIME ?= 30
