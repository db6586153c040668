# From the raw records to what people and scripts read.
# In:  UC/runs/LABEL/*.jsonl of the current combinations
# Out: UC/metrics/LABEL/{metrics.jsonl,cell_metrics.csv,notebook_metrics.csv,verdict.json}

RUNS := $(UC)/runs/$(LABEL)
METRICS := $(UC)/metrics/$(LABEL)

# Every current combination that has a run, whatever ONLY selects.
$(METRICS)/metrics.jsonl: $(RUNS)/.held
	@PATH="$(BIN):$$PATH" mk/metrics $(RUNS) $(METRICS) $(NAMES_FILE)

.PHONY: metrics
metrics: ## the tables once more, from the runs that there are
	@PATH="$(BIN):$$PATH" mk/metrics $(RUNS) $(METRICS) $(NAMES_FILE)
