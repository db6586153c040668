# One make profile of a use case's LABEL at a time; no process of a recipe outlives its make.
# In:  UC, LABEL, NOTEBOOK
# Out: in_results (begins a recipe that needs no lock: the results' folder in $UC), hold (begins a
#      recipe: runlock's options, a folder, a command), AT (the results' folder, as make names it)

ifdef OF_NOTEBOOK
export NOTEBOOK
in_uc = UC=$$($(nbscope)/mk/generate/name-folder.sh "$$NOTEBOOK") || exit; export UC;
else
unexport NOTEBOOK
endif
$(if $(FILES_GIVEN),$(eval export FILES),$(eval unexport FILES))
$(if $(ARGUMENTS_GIVEN),$(eval export ARGUMENTS),$(eval unexport ARGUMENTS))
# Those of an environment may be another program's, and are the kernel's, too.
$(if $(PARAMS_GIVEN),$(eval export NBSCOPE_PARAMS := $$(PARAMS)))
$(if $(OUTPUT_GIVEN),$(eval export NBSCOPE_OUTPUT := $$(OUTPUT)))

# For a notebook a link, since its path may hold anything.
AT := $(if $(OF_NOTEBOOK),$(shell \
	$(nbscope)/mk/generate/name-folder.sh --link $(call quoted,$(NOTEBOOK))),$(UC))
in_results = export PATH="$(HERE)$(BIN):$$PATH"; $(in_uc)
# When this make ends, however it ends, so do the command and everything it started.
hold = export NBSCOPE_RUNS=1; $(in_results) exec runlock

# Wait before anything is changed: another make may be running here with other settings.
ifneq ($(filter profile calibrate,$(MAKECMDGOALS)),)
ifeq ($(NBSCOPE_RUNS)$(MAKE_RESTARTS),)
ifneq ($(and $(wildcard $(BIN)/runlock),$(wildcard $(UC)/template.ipynb)),)
$(shell $(BIN)/runlock $(UC)/runs/$(LABEL))
$(if $(filter-out 0,$(.SHELLSTATUS)),$(error $(UC)/runs/$(LABEL) cannot be used))
endif
endif
endif

# A pipe, a socket or a device where a file of ours belongs would be waited for.
OURS := $(addprefix $(AT)/,template.ipynb params.* interactions.jsonl notebooks $(foreach \
	l,$(LABEL) $(BASE),$(addsuffix /$(l),runs executed metrics profiles report)))
SPECIAL := $(strip $(if $(filter $(GOALS_WITH_NOTEBOOKS) $(GOALS_WITH_RESULTS) \
	profile-notebook,$(GOAL)),$(shell find -H $(wildcard $(OURS)) /dev/null \
	\( -name '.scratch*' -o -name '*.files' \) -prune \
	-o ! -path /dev/null -xtype b,c,p,s -print -quit)))
$(if $(SPECIAL),$(error $(call shown,'$(SPECIAL)' is no regular file: remove it)))
