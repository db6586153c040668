# Runs: each notebook in a JupyterLab in a browser, one target each.
# In:  UC/notebooks/NAME.ipynb, UC/files/, the settings of the LABEL
# Out: UC/runs/LABEL/NAME.jsonl, NAME@2.jsonl ..., NAME@film.jsonl; UC/executed, UC/screenshots

USE_FILES := $(wildcard $(UC)/files)
at = $(if $(filter-out 1,$(1)),@$(1))

GOALS_WITH_RUNS := profile runs plan prepare
ifneq ($(filter $(GOALS_WITH_RUNS),$(MAKECMDGOALS)),)
# A film disturbs times: it is a run of its own.
REPETITIONS := $(shell seq 1 $(REPEAT)) $(filter film,$(SCREENSHOTS))
# A changed setting of the LABEL, or other packages, make its runs stale; within
# labserve the server is another and the question is settled.
ifndef NBSCOPE_RUNS
# The address alone: a token or a password that stands in it is in no file.
server := $(lastword $(subst @, ,$(firstword $(subst ?, ,$(subst $(hash), ,$(JUPYTERLAB_URL))))))
ifndef PACKAGES
PACKAGES := $(shell if [ -n $(call quoted,$(VENV)) ]; then ls -d $(call quoted,$(VENV))/lib/python*/site-packages/*.dist-info; else cat share/lab/requirements.txt; fi 2>&1 | cksum)
endif
export RUN_SETTINGS := $(strip kernel=$(KERNEL) venv=$(VENV) window=$(WINDOW) browser=$(BROWSER) headless=$(HEADLESS) \
	wait=$(WAIT) viz_selector=$(VIZ_SELECTOR) settle_ms=$(SETTLE_MS) max_wait_time=$(MAX_WAIT_TIME) \
	cores=$(CORES) sample_interval=$(SAMPLE_INTERVAL) cpu_watts=$(CPU_WATTS) memory_watts=$(MEMORY_WATTS) server=$(server) packages=$(PACKAGES)$(if $(WITH), with=$(WITH) $(CHECKOUTS)))
$(call stamp,$(RUNS)/.settings,$(RUN_SETTINGS))
endif
# Their names are no words of make's: it sees the date of the newest alone.
RUN_NEEDS := $(RUNS)/.settings $(if $(USE_FILES),$(shell mk/date-files $(USE_FILES) $(RUNS)/.files))
endif

RUN_FILES := $(foreach k,$(REPETITIONS),$(addprefix $(RUNS)/,$(addsuffix $(call at,$(k)).jsonl,$(SELECTED))))
ifneq ($(RERUN),)
ifndef NBSCOPE_RUNS
$(if $(RUN_FILES),$(shell mk/rerun $(call quoted,$(RERUN)) $(RUN_FILES)))
endif
endif

export KERNEL_MEMORY REPEAT LABEL MAX_WAIT_TIME WAIT VIZ_SELECTOR SETTLE_MS SCREENSHOTS CORES SAMPLE_INTERVAL RETRY MEMORY_BYTES UC USE_FILES

# In the one make that labserve starts, a run is a target with a recipe.  Outside
# it, HELD alone is: older than what its runs need, or a run is not there.
ifdef NBSCOPE_RUNS
.NOTPARALLEL:
define RUN_RULE
$(addprefix $(RUNS)/,$(addsuffix $(call at,$(1)).jsonl,$(SELECTED))): $(RUNS)/%$(call at,$(1)).jsonl: $(NOTEBOOKS)/%.ipynb $(RUN_NEEDS)
	@mk/run-notebook $$< $$@ $(1) $$(eval DONE += x)$$(words $$(DONE))
endef
$(if $(SELECTED),$(foreach k,$(REPETITIONS),$(eval $(call RUN_RULE,$(k)))))
else
$(RUN_FILES):
$(HELD): $(RUN_FILES) $(patsubst %,$(NOTEBOOKS)/%.ipynb,$(SELECTED)) $(RUN_NEEDS) | $(DEPS_DONE) $(VENV_DONE) programs
	@$(hold) --scratch '$(RUNS)' mk/run-all $@ '$(MAKE)' $(RUN_FILES)
endif

.PHONY: runs profile prepare
# For those who make runs in an order of their own: mk/compare-ab.
prepare: $(patsubst %,$(NOTEBOOKS)/%.ipynb,$(SELECTED)) $(RUN_NEEDS) | $(DEPS_DONE) $(VENV_DONE) programs
	@printf '%s\n' "$$VENV" >$(RUNS)/.venv
	@$(NOTE_ENVIRONMENT)

runs: $(RUN_FILES)
	@:

profile: $(METRICS)/metrics.jsonl ## run what is new or changed; ends with a table and a verdict
	@$(BIN)/runsum --missing $(HELD).missing --verdict $(METRICS)/verdict.json $<
