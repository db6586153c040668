# calibrate-interact: gestures whose truth the page and the kernel state; `make calibrate` performs
# them and prints bias and spread.

# A spread needs repetitions.
REPEAT ?= 5

# No cell takes long: a change that has not come by then will not come.
MAX_WAIT_TIME ?= 30

# What it imports that nbscope's own Python environment has, and another one may lack.
own_packages := ipywidgets
