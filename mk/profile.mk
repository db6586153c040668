# Runs: each notebook in a JupyterLab in a browser.
# In:  UC/notebooks/, UC/files/, MADE_FILES, the settings of the LABEL
# Out: UC/runs/LABEL/NAME.jsonl, NAME@2.jsonl ..., NAME@film.jsonl; UC/executed, UC/screenshots; of
#      explain: UC/runs/LABEL/NAME@profile-PASS.jsonl, UC/profiles/LABEL; of record:
#      UC/interactions.jsonl, or the same next to NOTEBOOK

# What a run depends on besides its notebook and files, for its record: NAME=VALUE lines.
# An address alone: a token or a password that is part of a URL is in no file.
address = $(lastword $(subst @, ,$(firstword $(subst ?, ,$(subst $(hash), ,$(1))))))
# Which packages: of WITH (mk/compare.mk), of REQUIREMENTS (mk/deps.mk), of VENV, of the user's own
# server (not known), of ours.
ENVIRONMENT = $(or $(strip $(PACKAGES) $(CHECKOUTS)),$(REQUIRED),$(if $(VENV),$(shell \
	ls -d $(call quoted,$(VENV))/lib/python*/site-packages/*.dist-info 2>&1 | cksum),$(if \
	$(JUPYTERLAB_URL),,$(if $(INSTALLED_IN),$(shell cd $(INSTALLED_IN)/lib && \
	ls -d python*/site-packages/*.dist-info | grep -v /nbscope- | cksum),$(wordlist \
	1,2,$(shell cksum $(nbscope)/share/lab/requirements.txt)) $(REQUIRED_HERE)))))
# Runs that share a machine take longer: how many do, or "shared" on the nodes of a cluster.
shared := $(if $(CORES),$(if $(call without,$(CORES),0 1 2 3 4 5 6 7 8 9),,shared))
AT_ONCE := $(if $(filter local,$(ENGINE)),$(filter-out 1,$(JOBS)))$(if \
	$(filter slurm,$(ENGINE)),$(shared))
# The settings of the table that concern runs, as the lines that runplan(1) reads, and these.
define RUN_SETTINGS
$(subst <>,$(newline),$(CHECKED))
jobs=$(AT_ONCE)
server=$(call address,$(JUPYTERLAB_URL))
webdriver=$(call address,$(WEBDRIVER_URL))
environment=$(strip $(ENVIRONMENT))
endef
ifneq ($(filter profile profile-notebook plan prepare calibrate record leaks,$(MAKECMDGOALS)),)
RUN_SETTINGS := $(RUN_SETTINGS)
export RUN_SETTINGS
endif

# The noise of the machine at its last calibration: mk/calibrate.mk.
NOISE := $(CACHE)/machine_noise.jsonl

export ENGINE JOBS JOB_OPTIONS JOB_PROLOG ON_END CORES NOISE KERNEL_MEMORY KERNEL_PREFIX REPEAT
export RERUN RETRY SAMPLE_INTERVAL SCREENSHOTS INTERACTIONS MEMORY_BYTES LABEL UC SEED
export PROFILERS CELLS FUNCTIONS DECORATORS JOIN ROUNDS LEAKS
export override LINES := $(if $(findstring environment,$(LINES_FROM)),,$(LINES))

# The rules that make them are in usecase.mk.
MADE := $(addprefix $(UC)/files/,$(if $(OF_NOTEBOOK),,$(MADE_FILES)))
$(if $(MAKES_RUNS),$(AT)/runs/$(LABEL)/plan) prepare $(if $(filter 1,$(TRIAL)),plan): $(MADE)
$(MADE): | $(UC)/files
$(UC)/files:
	@mkdir -p $@

.PHONY: profile profile-notebook record prepare status cancel explain leaks whatif
profile: ## run what is new or changed; ends with a table and a verdict
ifneq ($(strip $(ON_END)),)
profile: $(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE) programs
	+@export NBSCOPE_RUNS=1 MAKE="$(MAKE)"; $(in_results) \
		exec setpriv --pdeathsig TERM $(nbscope)/mk/run/report-end.sh "$$UC" $(LABEL)
else
profile: $(TABLES)
	@$(hold) --scratch "$(METRICS)" $(nbscope)/mk/show/show-summary.sh "$$UC" $(LABEL)
	$(if $(FIRST),+@$(MAKE) -s programs)
endif

profile-notebook: ## NOTEBOOK=path [FILES='data helpers.py']: profile a notebook or script
profile-notebook: profile

status: $(CURRENT) programs ## how many runs of LABEL are made, wait, run, failed; who makes them
	@$(hold) --no-lock --scratch "$$UC" $(nbscope)/mk/run/show-status.sh "$$UC" $(LABEL)

cancel: programs ## end the job of a cluster that makes runs of LABEL (ENGINE=slurm)
	@$(in_results) $(nbscope)/mk/cluster/cancel-tasks.sh "$$UC" $(LABEL)

record: ## NOTEBOOK=path: write what you do with its outputs to interactions.jsonl, for profile
record: $(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE) programs
	@$(hold) --scratch "$(RUNS)" $(nbscope)/mk/run/record-gestures.sh "$$UC" $(LABEL)

# For those who make runs in an order of their own: mk/run/alternate-labels.sh.
prepare: $(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE) programs
	@$(hold) --scratch "$(RUNS)" sh -c '$(nbscope)/mk/run/prepare-label.sh "$$UC" $(LABEL) && \
		$(nbscope)/mk/run/note-environment.sh "$(RUNS)/.environment.jsonl"'

explain: ## why the slowest cells are slow: functions, lines, memory (CELLS, PROFILERS, FUNCTIONS)
explain: $(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE) $(TABLES) programs
	@$(hold) --scratch "$(RUNS)" $(nbscope)/mk/run/explain-cells.sh "$$UC" $(LABEL)

leaks: ## ROUNDS=20: what grows in kernel and page if cells run that often, and what holds it
leaks: $(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE) programs
	@$(hold) --scratch "$(RUNS)" $(nbscope)/mk/run/find-leaks.sh "$$UC" $(LABEL)

whatif: ## what mending a line would save: REPEAT (default 4) runs with it slower (LINES)
whatif: $(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE) $(TABLES) programs
	@export REPEAT=$(or $(filter-out 1,$(REPEAT)),4); $(hold) --scratch "$(RUNS)" \
		$(nbscope)/mk/run/delay-lines.sh "$$UC" $(LABEL)
