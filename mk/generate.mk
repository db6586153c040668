# One notebook for each combination of parameters; cells as scripts. Scripts as notebooks:
# mk/generate/adopt-notebook.sh.
# In:  UC/template.ipynb, UC/params.json|yaml, WHERE, KERNEL; CELLS; share/ipython
# Out: UC/notebooks/NAME.ipynb, UC/notebooks/.combinations.jsonl (the records of all);
#      UC/scripts/NAME/jupyter_to_script.py and _run.sh

PARAMS_FILE := $(firstword $(wildcard $(addprefix $(UC)/params.,json yaml yml)) $(UC)/params.json)
TEMPLATE := $(UC)/template.ipynb
NOTEBOOKS := $(UC)/notebooks
COMBINATIONS := $(NOTEBOOKS)/.combinations.jsonl

# stamp FILE,TEXT: writes TEXT to FILE unless it is there already.
stamp = $(if $(call same,$(if $(wildcard $(1)),$(file <$(1))),$(2)),,$(shell \
	$(nbscope)/mk/setup/write-stamp.sh '$(1)' $(call quoted,$(2)) >&2)$(if \
	$(filter-out 0,$(.SHELLSTATUS)),$(error '$(1)' cannot be written)))

ifndef OF_NOTEBOOK
# Tables whose runs or template are not here are used as they are.
CURRENT := $(if $(and $(wildcard $(TEMPLATE)),$(wildcard $(UC)/runs/*/.settings)),$(COMBINATIONS))
needs_notebooks = $(filter $(MAKECMDGOALS),$(GOALS_WITH_NOTEBOOKS) $(if \
	$(1),,$(GOALS_WITH_RESULTS)))
$(if $(wildcard $(TEMPLATE)),,$(if $(call needs_notebooks,$(wildcard $(UC)/metrics $(UC)/report)),\
	$(error $(call shown,no use case '$(USECASE)': neither usecases/$(USECASE) nor $(USECASE) \
	has a template.ipynb ($(TYPED) new-usecase NAME=$(notdir $(USECASE)) starts one)))))
$(if $(call needs_notebooks,$(if $(CURRENT),$(wildcard $(NOTEBOOKS)/.settings),none)),$(call \
	stamp,$(NOTEBOOKS)/.settings,$(strip kernel=$(KERNEL) where=$(WHERE) name=$(UC_NAME))))

# A notebook that was removed, or written by anyone else, is written again, whatever its date.
WRITTEN := $(if $(wildcard $(COMBINATIONS)),$(shell wc -l $(COMBINATIONS)),0)
REMOVED := $(filter-out $(words $(wildcard $(NOTEBOOKS)/*.ipynb)),$(firstword $(WRITTEN)))
EDITED := $(if $(wildcard $(COMBINATIONS)),$(shell find '$(NOTEBOOKS)' -maxdepth 1 \
	-name '*.ipynb' -newercm '$(COMBINATIONS)' -print -quit))
$(COMBINATIONS): $(TEMPLATE) $(PARAMS_FILE) $(NOTEBOOKS)/.settings \
		$(if $(REMOVED)$(EDITED),FORCE) | programs
	@$(hold) --scratch '$(NOTEBOOKS)' \
		$(nbscope)/mk/generate/write-notebooks.sh $(PARAMS_FILE) $(TEMPLATE) $@

else
$(if $(filter generate calibrate,$(MAKECMDGOALS)),$(error \
	$(GOAL) is for a use case, not for a NOTEBOOK))
# Tables and reports of runs can be made without the notebooks.
COMBINATIONS := $(if $(filter $(GOAL),profile profile-notebook plan prepare record leaks ab bisect \
	aa script),\
	adopt,programs)
.PHONY: adopt
adopt: programs
	@$(in_results) exec $(nbscope)/mk/generate/adopt-notebook.sh "$$NOTEBOOK" "$$UC"
endif

.PHONY: generate script
generate: $(COMBINATIONS) ## write a notebook for each combination of parameters
	@all=$$(wc -l <$<); s=s; [ $$all != 1 ] || s=; \
		selected=$$(grep -vc '"selected":false}$$' $<); \
		$(nbscope)/mk/show/sanitize-text.sh "generate: $$all notebook$$s" \
			"in $(NOTEBOOKS)$(if $(WHERE), ($$selected of them selected by WHERE))"

script: ## write cells (CELLS, or tagged `script`, else all) as a Python script and a shell script
script: $(COMBINATIONS) $(VENV_DONE) programs
	@$(hold) --scratch "$$UC/scripts" $(nbscope)/mk/generate/write-scripts.sh "$$UC"

export WHERE UC_NAME
