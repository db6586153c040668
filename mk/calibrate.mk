# How accurate the numbers are on this machine, and what sampling costs.
# In:  usecases/calibrate, whose cells have known costs; usecases/calibrate-profile, the same for profilers;
#      usecases/widgets, the gallery; usecases/calibrate-cost, whose cells do fixed work; CALIBRATE
# Out: their runs; a table of bias and spread for each metric; the sampling overhead; NOISE, the machine's noise;
#      TRUTH, the truth records; the next table repeats their bias as the previous one

TRUTH := build/truth$(if $(filter widgets,$(CALIBRATE)),_widgets).jsonl
CALIBRATE_PROFILERS := $(if $(filter widgets,$(CALIBRATE)),,calibrate-profile)

.PHONY: calibrate calibrate-cost
calibrate: export RERUN := all
calibrate: $(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE) programs ## bias and spread of each metric on this machine (REPEAT, default 5); CALIBRATE=widgets: the gallery
	$(if $(CALIBRATE_PROFILERS),@$(MAKE) WHERE= generate USECASE=$(CALIBRATE_PROFILERS) >build/calibrate.log)
	$(if $(CALIBRATE_PROFILERS),@$(hold) --scratch "usecases/$(CALIBRATE_PROFILERS)/runs/$(LABEL)" mk/calibrate/run-profilers.sh usecases/$(CALIBRATE_PROFILERS) $(LABEL) >build/profiled.tmp)
	@$(hold) --scratch "$(RUNS)" mk/run/make-due-runs.sh "$$UC" $(LABEL)
	$(if $(CALIBRATE_PROFILERS),@jq -c 'select(.type == "machine_noise")' "$(RUNS)"/*.jsonl | sort | tail -n 1 >$(NOISE).tmp && mv $(NOISE).tmp $(NOISE))
	@export PATH="$(CURDIR)/$(BIN):$$PATH"; runs() { { runplan --label $(LABEL) "$$UC" | mk/run/list-usable.sh$(if $(CALIBRATE_PROFILERS),; cat build/profiled.tmp); } | xargs -0 -r cat; }; \
		runs | runtruth --table --before $(TRUTH); status=$$?; \
		runs | runtruth >$(TRUTH).tmp; mv $(TRUTH).tmp $(TRUTH) && exit $$status

calibrate-cost: $(DEPS_DONE) $(VENV_DONE) programs ## how much sampling slows cells down: REPEAT (default 8) runs with procsample, as many without
	@$(MAKE) generate USECASE=calibrate-cost >build/calibrate.log
	@$(hold) --scratch --no-lock usecases/calibrate-cost env REPEAT=$(or $(filter-out 1,$(REPEAT)),8) mk/calibrate/measure-cost.sh '$(MAKE) USECASE=calibrate-cost' usecases/calibrate-cost $(LABEL)
