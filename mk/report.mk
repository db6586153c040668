# From raw records to tables and comparisons. What is derived is trusted by its contents:
# mk/metric/make-unless.sh.
# In:  UC/runs/LABEL/: .settings and the usable runs; UC/notebooks/
# Out: UC/runs/LABEL/plan; UC/metrics/LABEL/{metrics.jsonl,cell_metrics.csv,notebook_metrics.csv},
#      interaction_metrics.csv where a run has interactions;
#      UC/metrics/LABEL@previous, the same of runs made from something else;
#      UC/metrics/LABEL/against-BASE/; BASE_NOW (the label to compare with), TABLES

RUNS = $$UC/runs/$(LABEL)
METRICS = $$UC/metrics/$(LABEL)
TABLES := $(AT)/metrics/$(LABEL)/metrics.jsonl

# The report compares with the label that was measured last.
BASE_NOW := $(or $(BASE),$(if $(filter report archive publish,$(MAKECMDGOALS)),$(shell \
	$(nbscope)/mk/metric/find-last-label.sh $(AT) $(LABEL))))
# Tables and reports can be made without the notebooks and without the runs, of what is there.
has_notebooks := $(if $(OF_NOTEBOOK),$(if $(filter -m,$(firstword $(NOTEBOOK))),yes,$(shell \
	[ ! -e $(call quoted,$(NOTEBOOK)) ] || echo yes)),yes)
MAKES_RUNS := $(filter profile profile-notebook,$(MAKECMDGOALS))
LISTED := $(or $(CURRENT),$(wildcard $(AT)/notebooks/.combinations.jsonl))
has_runs = $(or $(if $(filter $(LABEL),$(1)),$(MAKES_RUNS)),$(and $(has_notebooks),$(wildcard \
	$(AT)/runs/$(1)/.settings),$(LISTED)))
has_results = $(or $(call has_runs,$(1)),$(wildcard $(AT)/metrics/$(1)/metrics.jsonl))

makes_runs_of = $(and $(MAKES_RUNS),$(filter $(LABEL),$(1)))
labels_now := $(sort $(LABEL) $(BASE_NOW))
# The plan of a label; where its runs are made, that makes it.
$(labels_now:%=$(AT)/runs/%/plan): $(AT)/runs/%/plan: FORCE $(if \
		$(MAKES_RUNS),$(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE),$(CURRENT)) | programs
	$(if $(call makes_runs_of,$*),@$(hold) --scratch "$(RUNS)" \
		$(nbscope)/mk/run/make-due-runs.sh "$$UC" $*)
	@$(in_results) plan=$$UC/runs/$*/plan; \
		$(if $(call makes_runs_of,$*),[ -e "$$plan" ] ||) \
		runplan --label $* --output "$$plan" "$$UC" || [ $$? = 1 ] || exit 4; \
		$(nbscope)/mk/run/name-lost.sh "$$UC" $*

# What cells printed of their items is in executed notebooks.
READ_ITEMS := $(if $(ITEMS)$(ITEMS_SHARE),$(nbscope)/share/script/items.py)
# Mistakes that the page has seen: nbscope-rules(7).
RULES := $(nbscope)/share/ipython/nbscope/rules

# The tables of a label; executed notebooks get the times of their cells from them.
$(foreach l,$(labels_now),$(if $(call has_runs,$(l)),$(eval \
	$(AT)/metrics/$(l)/metrics.jsonl: $(AT)/runs/$(l)/plan)))
$(labels_now:%=$(AT)/metrics/%/metrics.jsonl): $(AT)/metrics/%/metrics.jsonl: FORCE | programs
	$(if $(MAKES_RUNS),,@$(in_results) $(nbscope)/mk/metric/check-tables.sh $(GOAL) "$$UC" $*)
	$(if $(call has_runs,$*)$(DRY),@$(hold) --scratch "$$UC/metrics/$*" \
		$(nbscope)/mk/metric/make-unless.sh unless "$$UC/metrics/$*/.made" metrics.jsonl \
		cell_metrics.csv notebook_metrics.csv interaction_metrics.csv emissions.csv \
		verdict.json -- \
		"$$UC/runs/$*/plan" \
		"$$UC/runs/$*/.environment.jsonl" $(BIN)/cellmetrics $(BIN)/metrics2csv \
		$(READ_ITEMS) $(wildcard $(RULES)/*.py) \
		"$$MIN_SAMPLES $$PUE $$CARBON_INTENSITY $$COUNTRY $$ITEMS $$ITEMS_SHARE" \
		-- sh -euc ' \
			to=$$UC/metrics/$* made=$$NBSCOPE_SCRATCH/metrics; \
			$(nbscope)/mk/metric/list-records.sh "$$UC" $* >"$$made.list"; \
			$(or $(READ_ITEMS),$(nbscope)/mk/run/pass-arguments.sh cat) \
				<"$$made.list" | \
				cellmetrics --min-samples "$$MIN_SAMPLES" >"$$made"; \
			$(nbscope)/mk/run/find-mistakes.sh <"$$made.list" >>"$$made"; \
			$(nbscope)/mk/metric/write-tables.sh "$$to" "$$made"; \
			rm -f "$$to/emissions.csv"; \
			[ -z "$$CARBON_INTENSITY" ] || { \
				jq -nrf $(nbscope)/share/energy/emissions.jq --rawfile countries \
					$(nbscope)/share/energy/countries.csv "$$made" \
						>"$$made.csv"; \
				mv "$$made.csv" "$$to/emissions.csv"; }; \
			runsum --verdict "$$to/verdict.json" "$$made" >"$$made.list" || \
				case $$? in (1 | 6) ;; (*) exit 4 ;; esac; \
			$(nbscope)/mk/metric/keep-previous.sh "$$UC" $* "$$made"; \
			sync "$$made"; mv "$$made" "$$to/metrics.jsonl"; \
			python3 -B $(nbscope)/share/script/carry.py <"$$to/metrics.jsonl"')

# The comparison of both tables, which the report shows; to be worse is no failure of the report.
AGAINST := $(AT)/metrics/$(LABEL)/against-$(BASE_NOW)
$(AGAINST)/comparison.jsonl: $(TABLES) $(AT)/metrics/$(BASE_NOW)/metrics.jsonl FORCE
	@$(hold) --scratch "$(METRICS)" $(nbscope)/mk/metric/make-unless.sh unless \
		"$(METRICS)/against-$(BASE_NOW)/.made" \
		comparison.jsonl comparison.csv comparison.md verdict.json -- \
		"$(METRICS)/metrics.jsonl" "$$UC/metrics/$(BASE_NOW)/metrics.jsonl" \
		"$$GATE/$$FAIL_ON/$$ALLOW/$$ALPHA/$$WITH/$$ITEM_METRICS" -- sh -c ' \
			$(nbscope)/mk/metric/compare-labels.sh "$$UC" $(BASE_NOW) $(LABEL) \
				>"$$NBSCOPE_SCRATCH/table"; \
			case $$? in 0 | 1 | 6) ;; *) exit 4 ;; esac'

.PHONY: metrics
metrics: $(COMBINATIONS) $(TABLES) ## make the tables again from the current runs
