# dashboard: bqplot and ipywidgets, to show that nbscope is not limited to jdaviz.

# No cell takes long: a change that has not come by then will not come.
MAX_WAIT_TIME ?= 60

# What it imports that nbscope's own Python environment has, and another one may lack.
own_packages := bqplot
