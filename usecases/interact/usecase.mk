# interact: what a person does with widgets of well-known packages: sliders, charts, maps, tables;
# interactions.jsonl.

# No cell takes long: a change that has not come by then will not come.
MAX_WAIT_TIME ?= 60
