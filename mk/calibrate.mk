# How true the numbers are, on this machine.
# In:  usecases/calibrate, whose cells know their truth
# Out: its runs; a table of bias and spread for each metric

CALIBRATE_RUNS := usecases/calibrate/runs/$(LABEL)

.PHONY: calibrate
# The last cell kills its kernel, so make's own verdict of these runs is no news.
calibrate: $(DEPS_DONE) $(VENV_DONE) programs ## bias and spread of each metric on this machine (REPEAT, default 5)
	@$(MAKE) profile USECASE=calibrate RERUN=all REPEAT=$(or $(filter-out 1,$(REPEAT)),5) >build/calibrate.log || true
	@$(BIN)/runtruth --table $$(ls $(CALIBRATE_RUNS)/*.jsonl)
