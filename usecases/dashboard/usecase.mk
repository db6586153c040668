# dashboard: bqplot and ipywidgets, to show that nothing in nbscope knows only jdaviz.

# No cell of it takes long: what has not come by then is not coming.
MAX_WAIT_TIME ?= 60

# Four figures of bqplot were seen to change after 270 ms without a change, close to the usual 300. The waiting itself is in no
# number: settle times are backdated.
SETTLE_MS ?= 500
