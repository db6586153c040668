# nbscope: what each cell of a notebook costs the person in front of the browser.
# Each fragment has one concern and opens with what goes in and what comes out.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
SHELL := /bin/sh
# The folder of nbscope's own files: "." in a checkout. What is named without it is the user's.
override nbscope := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))

# One process, but for what compiles, which is a make of its own: mk/build.mk. What compiles, tests
# and installs is not installed.
ifdef COMPILE
include mk/root.mk mk/deps.mk mk/firefox.mk mk/build.mk $(if $(filter \
	later,$(COMPILE)),,mk/compile.mk $(wildcard tests/fuzz.mk))
else
include $(addprefix $(nbscope)/mk/,root.mk settings.mk deps.mk chromium.mk firefox.mk) \
	$(wildcard $(nbscope)/mk/build.mk) $(addprefix $(nbscope)/mk/,lock.mk generate.mk \
	report.mk compare.mk figures.mk) $(nbscope)/share/tasks/tasks.mk $(addprefix \
	$(nbscope)/mk/,htmlreport.mk profile.mk usecase.mk calibrate.mk clean.mk) $(wildcard \
	$(addprefix $(nbscope)/mk/,install.mk wheel.mk dist.mk) $(nbscope)/tests/*.mk)
endif
