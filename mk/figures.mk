# Figures of a label's metrics.
# In:  UC/metrics/LABEL/metrics.jsonl; FIGURES_AS
# Out: UC/report/LABEL/figures/NAME.FORMAT; FIGURES (the stamp of all)

FIGURES := $(AT)/report/$(LABEL)/figures/.made
FIGURE_FORMATS := $(if $(filter report archive publish,$(MAKECMDGOALS)),svg \
	$(filter png pdf html json,$(FIGURES_AS)),$(filter svg png pdf html json,$(FIGURES_AS)))
# A report can do without them.
FIGURES_LEFT_OUT := $(if $(filter figures,$(MAKECMDGOALS)),,mk/show/leave-out.sh figures)
$(FIGURES): $(TABLES) $(FIGURE_DONE) FORCE
	@$(hold) --scratch "$$UC/report/$(LABEL)/figures" $(FIGURES_LEFT_OUT) mk/metric/make-unless.sh unless "$$UC/report/$(LABEL)/figures/.made" . -- \
		"$(METRICS)/metrics.jsonl" "$(FIGURE_FORMATS)" -- sh -euc ' \
			figures=$$NBSCOPE_SCRATCH/figures; \
			mk/show/list-figures.sh "$(METRICS)" "$$UC/report/$(LABEL)/figures" "$$(basename "$$UC"), $(LABEL)" \
				$(FIGURE_FORMATS) >"$$figures"; \
			metricplot --figures "$$figures" --type cell_metrics "$(METRICS)/metrics.jsonl" || [ $$? = 6 ]; \
			[ ! -e "$$figures.notebooks" ] || metricplot --figures "$$figures.notebooks" \
				--type notebook_metrics "$(METRICS)/metrics.jsonl" || [ $$? = 6 ]'

.PHONY: figures
figures: $(CURRENT) programs $(FIGURES) ## figures of USECASE's LABEL, as FIGURES_AS says, in report/LABEL/figures
	@$(in_results) cd "$$UC/report/$(LABEL)/figures" && n=$$(find . -type f ! -name '.*' | wc -l) && cd "$(CURDIR)" && \
		mk/show/sanitize-text.sh "figures: $$n files in $$UC/report/$(LABEL)/figures"
