# One notebook for each combination of parameters.
# In:  UC/template.ipynb, UC/params.json|yaml, WHERE, KERNEL
# Out: UC/notebooks/NAME.ipynb; NAMES (all combinations), SELECTED (those of WHERE)

PARAMS := $(firstword $(wildcard $(UC)/params.json $(UC)/params.yaml $(UC)/params.yml) $(UC)/params.json)
TEMPLATE := $(UC)/template.ipynb
NOTEBOOKS := $(UC)/notebooks
NAMES_FILE := $(NOTEBOOKS)/.names.mk

# stamp FILE,TEXT: FILE becomes newer when TEXT is another than it holds.
stamp = $(if $(call same,$(if $(wildcard $(1)),$(file <$(1))),$(2)),,$(shell mk/stamp '$(1)' $(call quoted,$(2)) >&2)$(if $(filter-out 0,$(.SHELLSTATUS)),$(error '$(1)' cannot be written)))

GOALS_WITH_NAMES := generate plan profile runs metrics prepare ab aa report archive
GOALS_WITH_RESULTS := compare check history scaling figures publish
# Nobody's results are looked for where no use case is.
ifneq ($(filter $(GOALS_WITH_NAMES) $(if $(wildcard $(UC)/metrics $(UC)/report),,$(GOALS_WITH_RESULTS)),$(MAKECMDGOALS)),)
ifeq ($(wildcard $(TEMPLATE)),)
$(error no use case '$(USECASE)': neither usecases/$(USECASE) nor $(USECASE) has a template.ipynb (make new-usecase NAME=$(notdir $(USECASE)) begins one))
endif
endif
ifneq ($(filter $(GOALS_WITH_NAMES),$(MAKECMDGOALS)),)
$(call stamp,$(NOTEBOOKS)/.settings,$(strip kernel=$(KERNEL) only=$(WHERE) name=$(UC_NAME)))
include $(NAMES_FILE)
endif

export WHERE UC_NAME

# The names are known only after generating: make remakes this and reads it.
$(NAMES_FILE): $(TEMPLATE) $(PARAMS) $(NOTEBOOKS)/.settings | $(BIN)/nbexpand $(BIN)/nbpatch $(BIN)/runlock
	@$(hold) --scratch '$(NOTEBOOKS)' mk/generate $(PARAMS) $(TEMPLATE) $@

.PHONY: generate
generate: $(NAMES_FILE) ## a notebook for each combination of parameters
	@echo "generate: $(words $(NAMES)) notebook$(if $(filter-out 1,$(words $(NAMES))),s) in $(NOTEBOOKS)$(if $(WHERE), ($(words $(SELECTED)) of them selected by WHERE))"

# Somebody removed one: all that are missing come back.
$(NOTEBOOKS)/%.ipynb: | $(NAMES_FILE)
	@test -e $@ || { $(hold) --scratch '$(NOTEBOOKS)' mk/generate $(PARAMS) $(TEMPLATE) $(NAMES_FILE); }
