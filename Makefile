# nbscope: what each cell of a notebook costs the person in front of the browser.
# Each fragment has one concern and opens with what goes in and what comes out.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
SHELL := /bin/sh

include mk/settings.mk
include mk/deps.mk
include mk/build.mk
include mk/lock.mk
include mk/parquet.mk
include mk/generate.mk
include mk/report.mk
include mk/compare.mk
include mk/figures.mk
include mk/htmlreport.mk
include mk/profile.mk
include mk/usecase.mk
include mk/calibrate.mk
include mk/test.mk
include mk/faults.mk
include mk/fuzz.mk
include mk/sanitize.mk
include mk/install.mk
include mk/help.mk
