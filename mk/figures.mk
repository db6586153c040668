# Figures of a label's metrics, and of the pipeline-tasks example.
# In:  UC/metrics/LABEL/metrics.jsonl; share/examples/pipetasks/
# Out: UC/report/LABEL/figures/NAME.FORMAT; build/pipetasks/

FIGURES := $(UC)/report/$(LABEL)/figures

.PHONY: figures
figures: $(BIN)/metricplot ## figures of USECASE's LABEL, as FIGURES_AS says, in report/LABEL/figures
	@mk/tables-sum $(METRICS) figures $(LABEL)
	@PATH="$(BIN):$$PATH" mk/figures $(METRICS) $(FIGURES) '$(UC_NAME), $(LABEL)' $(filter svg png pdf html,$(FIGURES_AS))

PIPETASKS := build/pipetasks
$(PIPETASKS)/data/.done: share/examples/pipetasks/generate.py $(PARQUET_DONE)
	@rm -rf $(@D)
	@build/parquet-venv/bin/python $< $(@D)
	@touch $@

.PHONY: pipetasks
pipetasks: $(PIPETASKS)/data/.done $(BIN)/metricstat $(BIN)/metricplot $(BIN)/metricreport ## the pipeline-tasks example: data, tables, check, figures, report, in build/pipetasks
	@PATH="$(BIN):$$PATH" PYTHON=build/parquet-venv/bin/python share/examples/pipetasks/analyse $(PIPETASKS)/data $(PIPETASKS)/report $(filter svg png pdf html,$(FIGURES_AS))
