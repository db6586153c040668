# quickstart: two small notebooks with Imviz, to try nbscope with.

# No cell takes long: a change that has not come by then will not come.
MAX_WAIT_TIME ?= 60

# Of the environment that make setup makes: another one may lack it.
own_packages := jdaviz
