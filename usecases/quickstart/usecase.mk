# quickstart: two small notebooks with Imviz, to try nbscope with.

# No cell takes long: a change that has not come by then will not come.
MAX_WAIT_TIME ?= 60

# glue-jupyter delays an image's last update by 500 ms, so an output that has not changed for
# 300 ms may still change. The wait is not part of any number: the last change is backdated.
SETTLE_MS ?= 700
