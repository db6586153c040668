# performance_photometry: apertures, profiles and exports of a generated star field.

MAX_WAIT_TIME ?= 300

# glue-jupyter delays an image's last update by 500 ms, so an output that has not changed for
# 300 ms may still change. The wait is not part of any number: the last change is backdated.
SETTLE_MS ?= 700
