# How accurate the numbers are on this machine, and what sampling costs.
# In:  usecases/calibrate, whose cells have known costs; usecases/calibrate-cost, whose cells do fixed work
# Out: their runs; a table of bias and spread for each metric; the sampling overhead

CALIBRATE_RUNS := usecases/calibrate/runs/$(LABEL)

.PHONY: calibrate calibrate-cost
# The last cell kills its kernel on purpose, so the verdict of these runs does not matter.
calibrate: $(DEPS_DONE) $(VENV_DONE) programs ## bias and spread of each metric on this machine (REPEAT, default 5)
	@$(MAKE) profile USECASE=calibrate RERUN=all >build/calibrate.log || true
	@$(BIN)/runtruth --table $$(ls $(CALIBRATE_RUNS)/*.jsonl)

calibrate-cost: $(DEPS_DONE) $(VENV_DONE) programs ## how much sampling slows cells down: REPEAT (default 8) runs with procsample, as many without
	@$(MAKE) generate USECASE=calibrate-cost >build/calibrate.log
	@$(hold) --scratch --no-lock usecases/calibrate-cost env REPEAT=$(or $(filter-out 1,$(REPEAT)),8) mk/calibrate-cost '$(MAKE) USECASE=calibrate-cost' usecases/calibrate-cost $(LABEL)
