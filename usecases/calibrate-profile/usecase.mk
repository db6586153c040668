# calibrate-profile: cells of which it is known what profilers must find, for `make calibrate`.
