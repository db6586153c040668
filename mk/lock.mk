# One make profile of a use case's LABEL at a time; and nothing of a recipe outlives its make.
# In:  UC, LABEL
# Out: hold (begins a recipe: runlock's options, a folder, a command)

# The command ends with this make, however make ends, and all that it started with it.
hold = export PATH="$(CURDIR)/$(BIN):$$PATH" NBSCOPE_RUNS=1; exec runlock

# Before anything is touched: another may be at work here, with other settings.
ifneq ($(filter profile runs,$(MAKECMDGOALS)),)
ifeq ($(NBSCOPE_RUNS)$(MAKE_RESTARTS),)
ifneq ($(and $(wildcard $(BIN)/runlock),$(wildcard $(UC)/template.ipynb)),)
$(shell $(BIN)/runlock '$(UC)/runs/$(LABEL)' >&2)
ifneq ($(.SHELLSTATUS),0)
$(error $(UC)/runs/$(LABEL) cannot be used)
endif
endif
endif
endif
