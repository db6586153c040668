# Figures of a label's metrics.
# In:  UC/metrics/LABEL/metrics.jsonl; FIGURES_AS; share/figure
# Out: UC/report/LABEL/figures/NAME.FORMAT; FIGURES (the stamp of all)

FIGURES := $(AT)/report/$(LABEL)/figures/.made
DRAWN = $$UC/report/$(LABEL)/figures
IN_REPORT := $(if $(filter report archive publish,$(MAKECMDGOALS)),svg)
FIGURE_FORMATS := $(IN_REPORT) $(filter-out $(IN_REPORT),$(filter \
	svg png pdf html json,$(FIGURES_AS)))
# A report can do without them.
OR_WITHOUT := $(if $(filter figures,$(MAKECMDGOALS)),,sh -c 'said=$$NBSCOPE_SCRATCH/said; \
	"$$@" 2>"$$said" || $(nbscope)/mk/show/sanitize-text.sh \
		"report: no figures: $$(tail -n 1 "$$said")" >&2' report)
$(FIGURES): $(TABLES) $(FIGURE_DONE) FORCE
	@$(hold) --scratch "$(DRAWN)" $(OR_WITHOUT) $(nbscope)/mk/metric/make-unless.sh unless \
		"$(DRAWN)/.made" . -- "$(METRICS)/metrics.jsonl" "$(FIGURE_FORMATS)" -- sh -euc ' \
			name=$$(readlink -f "$$UC"); \
			$(nbscope)/mk/show/list-figures.sh "$(METRICS)" "$(DRAWN)" \
				"$${name##*/}, $(LABEL)" \
				$(FIGURE_FORMATS); \
			for of in cell interaction notebook; do \
				of_these=$$NBSCOPE_SCRATCH/figures.$$of; \
				[ ! -s "$$of_these" ] || metricplot --figures "$$of_these" \
					--type $${of}_metrics "$(METRICS)/metrics.jsonl" || \
					[ $$? = 6 ]; \
			done'

.PHONY: figures
figures: ## figures of USECASE's LABEL, as FIGURES_AS says, in report/LABEL/figures
figures: $(CURRENT) programs $(FIGURES)
	@$(in_results) n=$$(find "$(DRAWN)" -type f ! -name '.*' | wc -l); \
		$(nbscope)/mk/show/sanitize-text.sh "figures: $$n files in $(DRAWN)"
