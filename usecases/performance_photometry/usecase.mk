# performance_photometry: apertures, profiles and exports of a generated star field.

MAX_WAIT_TIME ?= 300

# What it imports that nbscope's own Python environment has, and another one may lack.
own_packages := jdaviz
