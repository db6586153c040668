# How accurate the numbers are on this machine, and what sampling costs.
# In:  usecases/calibrate, whose cells have known costs; usecases/calibrate-profile, the same for
#      profilers; usecases/widgets, the gallery; usecases/calibrate-cost, whose cells do fixed work
# Out: their runs; a table of bias and spread for each metric; the sampling overhead; NOISE, the
#      machine's noise; TRUTH, the truth records, whose bias the next table repeats

TRUTH := build/truth$(if $(filter widgets,$(CALIBRATE)),_widgets).jsonl
PROFILED := $(if $(filter widgets,$(CALIBRATE)),,usecases/calibrate-profile)

.PHONY: calibrate calibrate-cost
calibrate: ## bias and spread of each metric on this machine (REPEAT, default 5); CALIBRATE=widgets
calibrate: export RERUN := all
calibrate: $(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE) programs
	$(if $(PROFILED),@$(MAKE) WHERE= generate USECASE=$(PROFILED) >build/calibrate.log)
	$(if $(PROFILED),@$(hold) --scratch "$(PROFILED)/runs/$(LABEL)" \
		mk/calibrate/run-profilers.sh $(PROFILED) $(LABEL) >build/profiled.tmp)
	@$(hold) --scratch "$(RUNS)" mk/run/make-due-runs.sh "$$UC" $(LABEL)
	$(if $(PROFILED),@grep -h '^{"type":"machine_noise"' "$(RUNS)"/*.jsonl | sort | tail -n 1 \
		>$(NOISE).tmp && mv $(NOISE).tmp $(NOISE))
	@$(in_results) { runplan --label $(LABEL) "$$UC" | mk/run/list-usable.sh; \
		$(if $(PROFILED),cat build/profiled.tmp;) } >build/calibrated.tmp; \
		runs() { mk/run/pass-arguments.sh cat <build/calibrated.tmp; }; \
		runs | runtruth --table --before $(TRUTH); status=$$?; \
		runs | runtruth >$(TRUTH).tmp; \
		mv $(TRUTH).tmp $(TRUTH) && exit $$status

calibrate-cost: ## how much sampling slows cells down: REPEAT (default 8) runs with and without
calibrate-cost: $(DEPS_DONE) $(VENV_DONE) programs
	@$(MAKE) generate USECASE=$@ >build/calibrate.log
	@export REPEAT=$(or $(filter-out 1,$(REPEAT)),8); $(hold) --scratch --no-lock usecases/$@ \
		mk/calibrate/measure-cost.sh '$(MAKE) USECASE=$@' usecases/$@ $(LABEL)
