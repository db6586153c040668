# How true the numbers are, on this machine, and what sampling costs.
# In:  usecases/calibrate, whose cells know their truth; usecases/calibrate-cost, whose cells do a fixed work
# Out: their runs; a table of bias and spread for each metric; what procsample adds to a cell's time

CALIBRATE_RUNS := usecases/calibrate/runs/$(LABEL)

.PHONY: calibrate calibrate-cost
# The last cell kills its kernel, so make's own verdict of these runs is no news.
calibrate: $(DEPS_DONE) $(VENV_DONE) programs ## bias and spread of each metric on this machine (REPEAT, default 5)
	@$(MAKE) profile USECASE=calibrate RERUN=all >build/calibrate.log || true
	@$(BIN)/runtruth --table $$(ls $(CALIBRATE_RUNS)/*.jsonl)

calibrate-cost: $(DEPS_DONE) $(VENV_DONE) programs ## how much sampling slows cells down: REPEAT (default 8) runs with procsample, as many without
	@$(MAKE) generate USECASE=calibrate-cost >build/calibrate.log
	@$(hold) --scratch --no-lock usecases/calibrate-cost env REPEAT=$(or $(filter-out 1,$(REPEAT)),8) mk/calibrate-cost '$(MAKE) USECASE=calibrate-cost' usecases/calibrate-cost $(LABEL)
