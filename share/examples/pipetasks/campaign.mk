# A made-up campaign: generate.py writes its data and a summary with known mistakes.
TITLE ?= Tasks of a made-up survey
NUMBER ?= 1
PATTERN ?= step_{step}/{task}_resource_usage/
SUMMARY ?= summary.csv
UNITS ?= run_time=s cpu_time=s memory=bytes
BY ?= step task
SHOW ?= band run
COHORT ?= early:run<=4
