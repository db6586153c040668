# quickstart: two small Imviz notebooks, to see within a minute what nbscope does.

# No cell of it takes long: what has not come by then is not coming.
MAX_WAIT_TIME ?= 60

# glue-jupyter puts an image's last update off by 500 ms, so a viewer that was quiet for 300 ms may still change. The waiting
# itself is in no number: a viewer's settle time is backdated.
SETTLE_MS ?= 700
