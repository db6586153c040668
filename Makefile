# nbscope: what each cell of a notebook costs the person in front of the browser.
# Settings that a user changes stand in mk/settings.mk; `make help` lists them.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/sh

include mk/build.mk
-include mk/settings.mk mk/deps.mk mk/generate.mk mk/profile.mk mk/report.mk mk/test.mk mk/install.mk mk/help.mk
