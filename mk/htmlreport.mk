# The report of a label, a folder of published reports, and an archive for a paper.
# In:  UC/runs/LABEL, UC/metrics/LABEL; usecases/calibrate's runs; BASE; FIGURES_AS; share/report/, REPORT_TEMPLATE
# Out: UC/report/LABEL/{index.html,notebooks/,samples/,figures/,profiles/,*.csv,report.json}; DEST; UC/report/LABEL.tar.gz

TRUTHS = $$(mk/calibration $(LABEL))

.PHONY: report publish archive
report: $(COMBINATIONS) $(FIGURE_DONE) programs ## write the report of LABEL to report/LABEL, also after failures
	@$(hold) --scratch "$$UC/report/$(LABEL)" mk/htmlreport "$$UC" $(LABEL) $(TRUTHS)

publish: $(CURRENT) programs ## copy the report to DEST, with an index of all reports there
	@[ -n "$$DEST" ] || { echo "publish: DEST is required: make publish DEST=/srv/reports" >&2; exit 2; }; $(hold) --scratch "$$DEST" mk/publish "$$UC" $(LABEL) "$$DEST"

archive: report ## pack records, packages, hardware, checksums, methods and CITATION.cff in report/LABEL.tar.gz
	@$(hold) --scratch "$$UC/report" mk/archive "$$UC" $(LABEL) $(TRUTHS)

export BASE REPORT_TEMPLATE FIGURES_AS AUTHOR DEST
