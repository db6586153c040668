# performance_photometry: apertures, profiles and exports of a generated star field.

MAX_WAIT_TIME ?= 300
