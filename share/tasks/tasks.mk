# Campaigns of tasks: anybody's table of resource usage, and the made-up one.
# In:  DATA and its campaign.mk; BASE_DATA; DEST; share/tasks/ with a table of settings;
#      share/examples/pipetasks/
# Out: TASKS_OUT/tables/, TASKS_OUT/figures/, TASKS_OUT/interactive/, TASKS_OUT/requests/,
#      TASKS_OUT/index.html;
#      TASKS_OUT/against-NAME/; DATA/campaign.mk; build/pipetasks/

TASK_SETTINGS := $(call names_in,$(nbscope)/share/tasks/settings)
ifneq ($(filter tasks tasks-new,$(MAKECMDGOALS))$(CAMPAIGN),)
$(foreach v,$(TASK_SETTINGS),$(call literally,$(v)))
override DATA := $(patsubst %/,%,$(DATA))
$(if $(DATA),,$(error $(GOAL): which campaign? $(TYPED) tasks DATA=../campaign))
$(if $(call is_path,$(DATA)),,$(error DATA must be the folder of a campaign, a path without blanks \
	and without $(special), as in: $(TYPED) tasks DATA=../campaign))
include $(wildcard $(DATA)/campaign.mk)
endif
# The made-up campaign is an example.
PIPETASKS := $(OUT)pipetasks
ifneq ($(filter pipetasks,$(MAKECMDGOALS)),)
DATA := $(PIPETASKS)/data
TASKS_OUT := $(PIPETASKS)/report
include $(nbscope)/share/examples/pipetasks/campaign.mk
endif
include $(nbscope)/share/tasks/settings
$(call strip_values,$(TASK_SETTINGS))
# Each engine has a template, ENGINE.FILE.jq.
ENGINES := $(sort $(foreach f,$(notdir $(wildcard \
	$(nbscope)/share/tasks/requests/*.*.jq)),$(firstword \
	$(subst ., ,$(f)))))
$(if $(filter-out $(ENGINES),$(REQUESTS)),$(error REQUESTS must be of $(ENGINES), not \
	'$(call shown,$(REQUESTS))'))
ifneq ($(filter tasks pipetasks,$(MAKECMDGOALS)),)
export $(TASK_SETTINGS)
endif

PARQUET_DONE := $(STORE)/parquet-venv/.done
TASK_NEEDS := $(PARQUET_DONE) $(FIGURE_DONE) \
	$(addprefix $(BIN)/,metricstat metricplot metricreport table2metrics)
tasks_env = PATH="$(HERE)$(BIN):$$PATH" WHERE=$(call quoted,$(WHERE)) \
	NBSCOPE_PARQUET_VENV="$(HERE)$(STORE)/parquet-venv"
analyse_tasks = $(tasks_env) $(nbscope)/share/tasks/analyse "$(DATA)" \
	"$(or $(strip $(TASKS_OUT)),$(DATA)-report)" $(filter svg png pdf html json,$(FIGURES_AS))

folder_exists = test -d "$(DATA)" || { echo "$@: no folder '$(DATA)'" >&2; exit 2; }
.PHONY: tasks tasks-new pipetasks
tasks: ## DATA=FOLDER: tables, figures and a report of the tasks of a campaign, in FOLDER-report
tasks: $(TASK_NEEDS)
	@$(folder_exists); $(analyse_tasks)

ifneq ($(CAMPAIGN),)
OF_DATA := $(or $(strip $(TASKS_OUT)),$(DATA)-report)
.PHONY: $(CAMPAIGN)
compare: $(TASK_NEEDS) $(BIN)/metriccmp
	@$(folder_exists); test -d "$(BASE_DATA)" || \
		{ echo "compare: no folder BASE_DATA='$(BASE_DATA)'" >&2; exit 2; }
	@$(MAKE) tasks DATA="$(BASE_DATA)" TASKS_OUT=
	@$(MAKE) tasks DATA="$(DATA)"
	@$(tasks_env) $(nbscope)/share/tasks/compare "$(DATA)" "$(OF_DATA)" \
		"$(patsubst %/,%,$(BASE_DATA))"

publish: $(TASK_NEEDS)
	@$(folder_exists); [ -n "$$DEST" ] || \
		{ echo "publish: DEST is required: $(TYPED) publish DEST=/srv/reports" \
			>&2; exit 2; }
	@$(MAKE) tasks DATA="$(DATA)"
	@$(hold) --scratch "$$DEST" $(nbscope)/mk/show/publish-report.sh . . "$$DEST" "$(OF_DATA)" \
		"campaigns/$(notdir $(DATA))"
endif

tasks-new: ## DATA=FOLDER: write FOLDER/campaign.mk with the settings that its files suggest
tasks-new: $(PARQUET_DONE) $(BIN)/table2metrics
	@$(folder_exists); to="$(DATA)/campaign.mk"; new="$$to.$$$$"; \
		[ ! -e "$$to" ] || { echo "tasks-new: $$to exists already" >&2; exit 2; }; \
		$(tasks_env) $(nbscope)/share/tasks/guess "$(DATA)" >"$$new" && \
			mv "$$new" "$$to" || \
			{ rm -f "$$new"; exit 3; }; \
		cat "$$to"; echo "$$to: edit it, then: $(TYPED) tasks DATA=$(DATA)"

$(PIPETASKS)/data/.done: $(wildcard $(nbscope)/share/examples/pipetasks/*) $(PARQUET_DONE)
	@rm -rf $(@D)
	@$(STORE)/parquet-venv/bin/python $(nbscope)/share/examples/pipetasks/generate.py $(@D)
	@cp $(nbscope)/share/examples/pipetasks/campaign.mk $(@D)
	@touch $@

pipetasks: ## make tasks for a made-up campaign: data, tables, check, figures, report
pipetasks: $(PIPETASKS)/data/.done $(TASK_NEEDS)
	@$(analyse_tasks)
