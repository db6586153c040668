# From the raw records to what people and scripts read.
# In:  UC/runs/LABEL/*.jsonl of the current combinations
# Out: UC/metrics/LABEL/{metrics.jsonl,cell_metrics.csv,notebook_metrics.csv,verdict.json}

RUNS := $(UC)/runs/$(LABEL)
# Newer than every run that WHERE selects, when all of them were up to date.
HELD := $(RUNS)/.held.$(firstword $(shell cksum 2>/dev/null <$(NOTEBOOKS)/.settings))
METRICS := $(UC)/metrics/$(LABEL)

ifneq ($(filter profile metrics,$(MAKECMDGOALS)),)
$(call stamp,$(METRICS)/.settings,min_samples=$(MIN_SAMPLES) pue=$(PUE) carbon_intensity=$(CARBON_INTENSITY))
endif

# Every current combination that has a run, whatever WHERE selects.
$(METRICS)/metrics.jsonl: $(HELD) $(NAMES_FILE) $(METRICS)/.settings
	@$(hold) --scratch '$(METRICS)' mk/metrics $(RUNS) $(METRICS) $(NAMES_FILE)

.PHONY: metrics
metrics: ## the tables once more, from the runs that there are
	@$(hold) --scratch '$(METRICS)' mk/metrics $(RUNS) $(METRICS) $(NAMES_FILE)
