# imviz_interact: pan, zoom, stretch and layers of Imviz, as a person uses them after the cells have
# run: interactions.jsonl.

# No cell takes long: a change that has not come by then will not come.
MAX_WAIT_TIME ?= 60

# What it imports that nbscope's own Python environment has, and another one may lack.
own_packages := jdaviz
