# nbscope: what each cell of a notebook costs the person in front of the browser.
# Each fragment has one concern and opens with what goes in and what comes out.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
SHELL := /bin/sh

# One process, but for what compiles, which is a make of its own: mk/build.mk.
ifdef COMPILE
include mk/deps.mk mk/firefox.mk mk/build.mk mk/compile.mk $(wildcard tests/fuzz.mk)
else
include mk/settings.mk mk/deps.mk mk/firefox.mk mk/build.mk mk/lock.mk mk/generate.mk \
	mk/report.mk mk/compare.mk mk/figures.mk share/tasks/tasks.mk mk/htmlreport.mk \
	mk/profile.mk mk/usecase.mk mk/calibrate.mk mk/install.mk mk/dist.mk $(wildcard tests/*.mk)
endif
