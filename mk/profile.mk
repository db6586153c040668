# Runs: each notebook in a JupyterLab in a browser, one target each.
# In:  UC/notebooks/NAME.ipynb, UC/files/, the settings of the LABEL
# Out: UC/runs/LABEL/NAME.jsonl, NAME@2.jsonl ..., NAME@film.jsonl; UC/executed, UC/screenshots

USE_FILES := $(wildcard $(UC)/files)
at = $(if $(filter-out 1,$(1)),@$(1))

GOALS_WITH_RUNS := profile runs plan
ifneq ($(filter $(GOALS_WITH_RUNS),$(MAKECMDGOALS)),)
# A film disturbs times: it is a run of its own.
REPETITIONS := $(shell seq 1 $(REPEAT)) $(filter film,$(SCREENSHOTS))
# A changed setting of the LABEL, or other packages, make its runs stale; within
# labserve the server is another and the question is settled.
ifndef NBSCOPE_RUNS
PACKAGES := $(shell if [ -n '$(VENV)' ]; then ls -d $(VENV)/lib/python*/site-packages/*.dist-info; else cat share/lab/requirements.txt; fi 2>&1 | cksum)
export RUN_SETTINGS := $(strip kernel=$(KERNEL) venv=$(VENV) window=$(WINDOW) browser=$(BROWSER) headless=$(HEADLESS) \
	wait=$(WAIT) viz_selector=$(VIZ_SELECTOR) quiet=$(QUIET) max_wait_time=$(MAX_WAIT_TIME) \
	cores=$(CORES) sample_interval=$(SAMPLE_INTERVAL) cpu_watts=$(CPU_WATTS) memory_watts=$(MEMORY_WATTS) server=$(firstword $(subst ?, ,$(JUPYTERLAB_URL))) packages=$(PACKAGES))
$(call stamp,$(RUNS)/.settings,$(RUN_SETTINGS))
endif
RUN_NEEDS := $(RUNS)/.settings $(if $(USE_FILES),$(shell find $(USE_FILES) -type f ! -path '*/__pycache__/*'))
endif

RUN_FILES := $(foreach k,$(REPETITIONS),$(addprefix $(RUNS)/,$(addsuffix $(call at,$(k)).jsonl,$(SELECTED))))
ifneq ($(RERUN),)
ifndef NBSCOPE_RUNS
$(if $(RUN_FILES),$(shell mk/rerun '$(RERUN)' $(RUN_FILES)))
endif
endif

export KERNEL_MEMORY REPEAT LABEL MAX_WAIT_TIME WAIT VIZ_SELECTOR QUIET SCREENSHOTS CORES SAMPLE_INTERVAL RETRY MEMORY_BYTES UC USE_FILES

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
	@$(hold) '$(RUNS)' mk/run-all $@ '$(MAKE)' $(RUN_FILES)
endif

.PHONY: runs profile
runs: $(RUN_FILES)
	@:

profile: $(METRICS)/metrics.jsonl ## run what is new or changed; ends with a table and a verdict
	@$(BIN)/runsum --verdict $(METRICS)/verdict.json $<
