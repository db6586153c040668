# One notebook for each combination of parameters.
# In:  UC/template.ipynb, UC/params.json|yaml, WHERE, KERNEL
# Out: UC/notebooks/NAME.ipynb, UC/notebooks/.combinations.jsonl (the records of all)

PARAMS := $(firstword $(wildcard $(UC)/params.json $(UC)/params.yaml $(UC)/params.yml) $(UC)/params.json)
TEMPLATE := $(UC)/template.ipynb
NOTEBOOKS := $(UC)/notebooks
COMBINATIONS := $(NOTEBOOKS)/.combinations.jsonl

# stamp FILE,TEXT: writes TEXT to FILE unless it is there already.
stamp = $(if $(call same,$(if $(wildcard $(1)),$(file <$(1))),$(2)),,$(shell mk/setup/write-stamp.sh '$(1)' $(call quoted,$(2)) >&2)$(if $(filter-out 0,$(.SHELLSTATUS)),$(error '$(1)' cannot be written)))

ifndef OF_NOTEBOOK
ifneq ($(filter $(GOALS_WITH_NOTEBOOKS) $(if $(wildcard $(UC)/metrics $(UC)/report),,$(GOALS_WITH_RESULTS)),$(MAKECMDGOALS)),)
ifeq ($(wildcard $(TEMPLATE)),)
$(error $(call shown,no use case '$(USECASE)': neither usecases/$(USECASE) nor $(USECASE) has a template.ipynb (make new-usecase NAME=$(notdir $(USECASE)) starts one)))
endif
endif
# Of the template as it is now; tables whose runs or template are not here are used as they are.
CURRENT := $(if $(and $(wildcard $(TEMPLATE)),$(wildcard $(UC)/runs/*/.settings)),$(COMBINATIONS))
ifneq ($(filter $(GOALS_WITH_NOTEBOOKS) $(if $(wildcard $(NOTEBOOKS)/.settings),,$(if $(CURRENT),$(GOALS_WITH_RESULTS))),$(MAKECMDGOALS)),)
$(call stamp,$(NOTEBOOKS)/.settings,$(strip kernel=$(KERNEL) where=$(WHERE) name=$(UC_NAME)))
endif

# A removed notebook is written again.
REMOVED = $(filter-out $(words $(wildcard $(NOTEBOOKS)/*.ipynb)),$(firstword $(if $(wildcard $(COMBINATIONS)),$(shell wc -l $(COMBINATIONS)),0)))
$(COMBINATIONS): $(TEMPLATE) $(PARAMS) $(NOTEBOOKS)/.settings $(if $(REMOVED),FORCE) | programs
	@$(hold) --scratch '$(NOTEBOOKS)' mk/generate/write-notebooks.sh $(PARAMS) $(TEMPLATE) $@

else
$(if $(filter generate calibrate,$(MAKECMDGOALS)),$(error $(GOAL) is for a use case, not for a NOTEBOOK))
# Tables and reports of runs can be made without the notebooks.
COMBINATIONS := $(if $(filter profile profile-notebook plan prepare ab aa script,$(GOAL)),adopt,programs)
.PHONY: adopt
adopt: programs
	@export PATH="$(CURDIR)/$(BIN):$$PATH"; $(in_uc) exec mk/generate/adopt-notebook.sh "$$NOTEBOOK" "$$UC"
endif

.PHONY: generate
generate: $(COMBINATIONS) ## write a notebook for each combination of parameters
	@all=$$(wc -l <$<); selected=$$(grep -vc '"selected":false}$$' $<); \
		mk/show/sanitize-text.sh "generate: $$all notebook$$([ $$all = 1 ] || echo s) in $(NOTEBOOKS)$(if $(WHERE), ($$selected of them selected by WHERE))"

export WHERE UC_NAME
