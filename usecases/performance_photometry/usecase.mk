# performance_photometry: apertures, profiles and exports on a star field that the notebook makes itself.

MAX_WAIT_TIME ?= 300

# glue-jupyter puts an image's last update off by 500 ms, so a viewer that was quiet for 300 ms may still change. The waiting
# itself is in no number: settle times are backdated.
SETTLE_MS ?= 700
