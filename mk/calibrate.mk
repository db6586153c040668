# How accurate the numbers are on this machine, and what sampling costs.
# In:  usecases/calibrate, whose cells have known costs; usecases/calibrate-profile, the same for
#      profilers; usecases/calibrate-interact, the same for gestures; usecases/widgets, the gallery;
#      usecases/calibrate-cost, whose cells do fixed work
# Out: their runs; a table of bias and spread for each metric; the sampling overhead; NOISE, the
#      machine's noise; TRUTH, the truth records, whose bias the next table repeats

TRUTH := $(CACHE)/truth$(if $(filter widgets,$(CALIBRATE)),_widgets).jsonl
PROFILED := $(if $(filter widgets,$(CALIBRATE)),,$(OWN)/calibrate-profile)
GESTURES := $(if $(filter widgets,$(CALIBRATE))$(filter none,$(BROWSER)),,$(OWN)/calibrate-interact)

.PHONY: calibrate calibrate-cost
calibrate: ## bias and spread of each metric on this machine (REPEAT, default 5); CALIBRATE=widgets
calibrate: export RERUN := all
calibrate: $(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE) programs
	@: >$(STORE)/profiled.tmp
ifneq ($(PROFILED),)
	@$(MAKE) WHERE= generate USECASE=$(notdir $(PROFILED)) >$(STORE)/calibrate.log
ifneq ($(JUPYTERLAB_URL),)
	@echo 'calibrate: the profilers are not calibrated on a server of your own' >&2
else
	@$(hold) --scratch $(PROFILED)/runs/$(LABEL) sh -euc '$(nbscope)/mk/run/prepare-label.sh \
		"$$@"; \
		REPEAT=1 TARGET=calibrate FUNCTIONS= $(nbscope)/mk/run/profile-pass.sh \
			"$$@" lines+memory \
			<"$$1/notebooks/.combinations.jsonl" >/dev/null; \
		runplan --label "$$2" --profile lines+memory "$$1" | \
			$(nbscope)/mk/run/list-usable.sh --profile' sh $(PROFILED) $(LABEL) \
				>$(STORE)/profiled.tmp
endif
endif
	@: >$(STORE)/performed.tmp
ifneq ($(GESTURES),)
	@$(MAKE) WHERE= profile USECASE=$(notdir $(GESTURES)) >$(STORE)/calibrate.log || \
		[ -s $(GESTURES)/runs/$(LABEL)/plan ]
	@$(in_results) runplan --label $(LABEL) $(GESTURES) | $(nbscope)/mk/run/list-usable.sh \
		>$(STORE)/performed.tmp
endif
	@$(hold) --scratch "$(RUNS)" $(nbscope)/mk/run/make-due-runs.sh "$$UC" $(LABEL)
	$(if $(PROFILED),@grep -h '^{"type":"machine_noise"' "$(RUNS)"/*.jsonl | sort | tail -n 1 \
		>$(NOISE).tmp && mv $(NOISE).tmp $(NOISE))
	@$(in_results) { runplan --label $(LABEL) "$$UC" | $(nbscope)/mk/run/list-usable.sh; \
		cat $(STORE)/profiled.tmp $(STORE)/performed.tmp; } >$(STORE)/calibrated.tmp; \
		runs() { $(nbscope)/mk/run/pass-arguments.sh cat <$(STORE)/calibrated.tmp; }; \
		runs | runtruth --table --before $(TRUTH); status=$$?; \
		runs | runtruth >$(TRUTH).tmp; \
		mv $(TRUTH).tmp $(TRUTH) && exit $$status

calibrate-cost: ## how much sampling slows cells down: REPEAT (default 8) runs with and without
calibrate-cost: $(DEPS_DONE) $(VENV_DONE) programs
	@$(MAKE) generate USECASE=$@ >$(STORE)/calibrate.log
	@export REPEAT=$(or $(filter-out 1,$(REPEAT)),8); $(hold) --scratch --no-lock $(OWN)/$@ \
		env RERUN=all TARGET=$@ PREPARE_B=SAMPLE_INTERVAL=0 \
			$(nbscope)/mk/run/alternate-labels.sh \
		'$(MAKE) USECASE=$@' $(OWN)/$@ $(LABEL)-with $(LABEL)-without
	@echo "procsample every $(SAMPLE_INTERVAL) ms;" \
		"load average at the end: $$(cut -d' ' -f1-3 /proc/loadavg)"
	@$(in_results) for l in with without; do \
		runplan --label $(LABEL)-$$l $(OWN)/$@ | $(nbscope)/mk/run/list-usable.sh; \
	done | $(nbscope)/mk/run/pass-arguments.sh cat | runtruth --table
