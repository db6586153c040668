# The report of a label, a folder of published reports, and an archive for a paper.
# In:  UC/runs/LABEL, UC/metrics/LABEL; usecases/calibrate's runs; BASE_NOW; share/report/
# Out: UC/report/LABEL/{index.html,notebooks/,samples/,figures/,profiles/,*.csv,report.json}; DEST;
#      UC/report/LABEL.tar.gz

TRUTHS = $$($(nbscope)/mk/calibrate/list-runs.sh $(OWN)/calibrate $(LABEL))
INDEX := $(AT)/report/$(LABEL)/index.html
REPORT = $$UC/report/$(LABEL)
BASE_SHOWN := $(if $(filter-out $(LABEL),$(BASE_NOW)),$(if $(call \
	has_results,$(BASE_NOW)),$(BASE_NOW)))
# A report is written in any case when it is asked for by name.
$(INDEX): $(TABLES) $(FIGURES) $(if $(BASE_SHOWN),$(AGAINST)/comparison.jsonl) FORCE
	$(if $(BASE_SHOWN),,$(if $(BASE),@$(nbscope)/mk/show/sanitize-text.sh \
		"report: no comparison with '$(BASE)': no metrics of label '$(BASE)' yet" >&2))
	$(if $(filter report archive,$(MAKECMDGOALS)),@$(in_results) rm -f "$(REPORT)/.made")
	@$(hold) --scratch "$(REPORT)" $(nbscope)/mk/metric/make-unless.sh unless \
		"$(REPORT)/.made" \
		report.json -- "$(METRICS)/metrics.jsonl" -- sh -euc ' \
			$(nbscope)/mk/show/collect-report.sh "$$UC" $(LABEL) \
				"$(BASE_SHOWN)" $(TRUTHS) \
				>"$$NBSCOPE_SCRATCH/arguments"; \
			xargs -0 -x -s 1000000 metricreport <"$$NBSCOPE_SCRATCH/arguments"; \
			$(nbscope)/mk/show/sanitize-text.sh "report: $(REPORT)/index.html"'

.PHONY: report publish archive
report: ## write the report of LABEL to report/LABEL, also after failures
report: $(COMBINATIONS) programs $(INDEX)

ifeq ($(CAMPAIGN),)
publish: ## copy the report to DEST, with an index of all reports there
publish: $(CURRENT) programs $(if $(and $(wildcard $(INDEX)),$(call has_results,$(LABEL))),$(INDEX))
	@[ -n "$$DEST" ] || \
		{ echo "publish: DEST is required: $(TYPED) publish DEST=/srv/reports" \
			>&2; exit 2; }; \
		$(hold) --scratch "$$DEST" $(nbscope)/mk/show/publish-report.sh "$$UC" $(LABEL) \
			"$$DEST"
endif

archive: ## pack records, packages, hardware, checksums, CITATION.cff in report/LABEL.tar.gz
archive: report
	@$(hold) --scratch "$$UC/report" $(nbscope)/mk/show/archive-report.sh \
		"$$UC" $(LABEL) $(TRUTHS)

export BASE REPORT_TEMPLATE FIGURES_AS AUTHOR DEST
