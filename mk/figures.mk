# Figures of a label's metrics.
# In:  UC/metrics/LABEL/metrics.jsonl
# Out: UC/report/LABEL/figures/NAME.FORMAT

.PHONY: figures
figures: $(CURRENT) programs $(FIGURE_DONE) ## figures of USECASE's LABEL, as FIGURES_AS says, in report/LABEL/figures
	@export PATH="$(CURDIR)/$(BIN):$$PATH"; $(in_uc) mk/tables figures "$$UC" $(LABEL) && mk/figures "$(METRICS)" "$$UC/report/$(LABEL)/figures" "$$(basename "$$UC"), $(LABEL)" $(filter svg png pdf html json,$(FIGURES_AS))
