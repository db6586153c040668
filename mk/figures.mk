# Figures of a label's metrics.
# In:  UC/metrics/LABEL/metrics.jsonl; FIGURES_AS
# Out: UC/report/LABEL/figures/NAME.FORMAT; FIGURES (the stamp of all)

FIGURES := $(AT)/report/$(LABEL)/figures/.made
DRAWN = $$UC/report/$(LABEL)/figures
IN_REPORT := $(if $(filter report archive publish,$(MAKECMDGOALS)),svg)
FIGURE_FORMATS := $(IN_REPORT) $(filter-out $(IN_REPORT),$(filter \
	svg png pdf html json,$(FIGURES_AS)))
# A report can do without them.
FIGURES_LEFT_OUT := $(if $(filter figures,$(MAKECMDGOALS)),,mk/show/leave-out.sh figures)
$(FIGURES): $(TABLES) $(FIGURE_DONE) FORCE
	@$(hold) --scratch "$(DRAWN)" $(FIGURES_LEFT_OUT) mk/metric/make-unless.sh unless \
		"$(DRAWN)/.made" . -- "$(METRICS)/metrics.jsonl" "$(FIGURE_FORMATS)" -- sh -euc ' \
			figures=$$NBSCOPE_SCRATCH/figures; \
			name=$$(readlink -f "$$UC"); \
			mk/show/list-figures.sh "$(METRICS)" "$(DRAWN)" "$${name##*/}, $(LABEL)" \
				$(FIGURE_FORMATS) >"$$figures"; \
			metricplot --figures "$$figures" --type cell_metrics \
				"$(METRICS)/metrics.jsonl" || [ $$? = 6 ]; \
			[ ! -e "$$figures.notebooks" ] || metricplot --type notebook_metrics \
				--figures "$$figures.notebooks" "$(METRICS)/metrics.jsonl" || \
				[ $$? = 6 ]'

.PHONY: figures
figures: ## figures of USECASE's LABEL, as FIGURES_AS says, in report/LABEL/figures
figures: $(CURRENT) programs $(FIGURES)
	@$(in_results) n=$$(find "$(DRAWN)" -type f ! -name '.*' | wc -l); \
		mk/show/sanitize-text.sh "figures: $$n files in $(DRAWN)"
