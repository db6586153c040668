# dashboard: bqplot and ipywidgets, to show that nbscope is not limited to jdaviz.

# No cell takes long: a change that has not come by then will not come.
MAX_WAIT_TIME ?= 60

# Four figures of bqplot sometimes change after 270 ms without a change, which is close to the
# default of 300. The wait is not part of any number: the last change is backdated.
SETTLE_MS ?= 500
