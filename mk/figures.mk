# Figures of a label's metrics, and of the pipeline-tasks example.
# In:  UC/metrics/LABEL/metrics.jsonl; share/examples/pipetasks/
# Out: UC/report/LABEL/figures/NAME.FORMAT; build/pipetasks/

.PHONY: figures
figures: $(CURRENT) programs $(FIGURE_DONE) ## figures of USECASE's LABEL, as FIGURES_AS says, in report/LABEL/figures
	@export PATH="$(CURDIR)/$(BIN):$$PATH"; $(in_uc) mk/tables figures "$$UC" $(LABEL) && mk/figures "$(METRICS)" "$$UC/report/$(LABEL)/figures" "$$(basename "$$UC"), $(LABEL)" $(filter svg png pdf html json,$(FIGURES_AS))

PIPETASKS := build/pipetasks
$(PIPETASKS)/data/.done: share/examples/pipetasks/generate.py $(PARQUET_DONE)
	@rm -rf $(@D)
	@build/parquet-venv/bin/python $< $(@D)
	@touch $@

.PHONY: pipetasks
pipetasks: $(PIPETASKS)/data/.done $(FIGURE_DONE) $(BIN)/metricstat $(BIN)/metricplot $(BIN)/metricreport ## the pipeline-tasks example: data, tables, check, figures, report, in build/pipetasks
	@PATH="$(BIN):$$PATH" PYTHON=build/parquet-venv/bin/python share/examples/pipetasks/analyse $(PIPETASKS)/data $(PIPETASKS)/report $(filter svg png pdf html json,$(FIGURES_AS))
