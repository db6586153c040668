# performance_photometry: apertures, profiles and exports of a generated star field.

MAX_WAIT_TIME ?= 300

# Of the environment that make setup makes: another one may lack it.
own_packages := jdaviz
