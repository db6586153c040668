# New use cases, what a sweep would cost, and single notebooks.
# In:  share/usecase/ (the skeleton); NAME=; NOTEBOOK=, FILES=
# Out: usecases/NAME/; beside NOTEBOOK: nbscope/{runs,executed,metrics}/LABEL/

.PHONY: new-usecase plan profile-notebook
new-usecase: export NAME := $(NAME)
new-usecase: ## NAME=x: start a use case in usecases/x
	@case "$$NAME" in ''|*[!A-Za-z0-9_-]*) echo "new-usecase: NAME must be of letters, digits, dash and underscore, as in: make new-usecase NAME=my_viewer" >&2; exit 2;; esac
	@test ! -e "usecases/$$NAME" || { echo "new-usecase: usecases/$$NAME exists already" >&2; exit 2; }
	@cp -R share/usecase "usecases/$$NAME"
	@echo "usecases/$$NAME: edit template.ipynb and params.json, then: make plan USECASE=$$NAME && make profile USECASE=$$NAME"

plan: $(COMBINATIONS) programs $(VENV_DONE) ## predict the number of notebooks, time, disk and memory; runs one notebook if none has run yet
	@$(hold) --scratch '$(RUNS)' mk/plan $(UC) $(LABEL)

profile-notebook: export NOTEBOOK := $(NOTEBOOK)
profile-notebook: export FILES := $(FILES)
profile-notebook: $(DEPS_DONE) $(VENV_DONE) programs ## NOTEBOOK=path [FILES='data helpers.py']: profile one notebook as it is
	@test -n "$$NOTEBOOK" || { echo "profile-notebook: which notebook? make profile-notebook NOTEBOOK=path/to/it.ipynb" >&2; exit 2; }
	@$(hold) --no-lock --scratch $(BUILD) mk/profile-notebook "$$NOTEBOOK" $(LABEL)
