# The report that people read, a place where earlier ones stand with it, and all of it for a paper.
# In:  UC/runs/LABEL, UC/metrics/LABEL; usecases/calibrate's runs; BASE; share/report/, REPORT_TEMPLATE
# Out: UC/report/LABEL/{index.html,notebooks/,samples/,figures/,*.csv,report.json}; DEST; UC/report/LABEL.tar.gz

REPORT := $(UC)/report/$(LABEL)
# Of this machine, whatever they are called.
TRUTHS = $(or $(wildcard usecases/calibrate/runs/$(LABEL)/*.jsonl),$(wildcard usecases/calibrate/runs/*/*.jsonl))

.PHONY: report publish archive
report: $(NAMES_FILE) programs ## USECASE's LABEL as one HTML file, in report/LABEL; also after failures
	@$(hold) --scratch '$(REPORT)' mk/htmlreport $(RUNS) $(METRICS) $(REPORT) $(NAMES_FILE) $(UC)/screenshots/$(LABEL) $(TRUTHS)

publish: programs ## copy the report into DEST, beside earlier ones, with an index
	@[ -n "$$DEST" ] || { echo "publish: where to? make publish DEST=/srv/reports" >&2; exit 2; }; $(hold) --scratch "$$DEST" mk/publish $(REPORT) "$$DEST" $(UC_NAME) $(LABEL)

archive: report ## records, packages, hardware, checksums, Methods and CITATION.cff in report/LABEL.tar.gz
	@$(hold) --scratch '$(UC)/report' mk/archive $(UC) $(LABEL) $(REPORT) $(METRICS) $(TRUTHS)

export UC_NAME REPORT_TEMPLATE AUTHOR DEST
