# From raw records to tables.
# In:  the current runs in UC/runs/LABEL/
# Out: UC/metrics/LABEL/{metrics.jsonl,cell_metrics.csv,notebook_metrics.csv,verdict.json}

RUNS = $$UC/runs/$(LABEL)
METRICS = $$UC/metrics/$(LABEL)
make_metrics = $(hold) --scratch "$(METRICS)" mk/metrics "$$UC" $(LABEL)

.PHONY: metrics
metrics: $(COMBINATIONS) ## make the tables again from the current runs
	@$(make_metrics)
