# calibrate-cost: fixed work, run with and without procsample by `make calibrate-cost`.
