# spark_udf: a score for each alert of a survey, by a pandas UDF in PySpark's Python workers.

# Spark is a program for Java. Its Python packages are in requirements.txt.
APT ?= openjdk-17-jre-headless

# No cell takes long: a change that has not come by then will not come.
MAX_WAIT_TIME ?= 120
