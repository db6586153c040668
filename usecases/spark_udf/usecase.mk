# spark_udf: a score for each alert of a survey, by a pandas UDF in PySpark's Python workers.

# Spark is a program for Java. Its Python packages are in requirements.txt.
APT ?= openjdk-17-jre-headless

# No cell takes long: a change that has not come by then will not come.
MAX_WAIT_TIME ?= 120

# The numbers that it prints, as such a service does: how fast it is, and how many have a score.
ITEMS ?= ([0-9.]+) alert/second
ITEMS_SHARE ?= ([0-9.]+)% objects with p > 0
