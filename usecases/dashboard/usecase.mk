# dashboard: bqplot and ipywidgets, to show that nbscope is not limited to jdaviz.

# No cell takes long: a change that has not come by then will not come.
MAX_WAIT_TIME ?= 60

# Of the environment that make setup makes: another one may lack it.
own_packages := bqplot
