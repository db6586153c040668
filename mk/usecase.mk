# New use cases, and what a sweep would cost.
# In:  share/usecase/ (the skeleton); NAME=
# Out: usecases/NAME/

.PHONY: new-usecase plan
new-usecase: export NAME := $(NAME)
new-usecase: ## NAME=x: start a use case in usecases/x
	@case "$$NAME" in ''|*[!A-Za-z0-9_-]*) echo "new-usecase: NAME must be of letters, digits, dash and underscore, as in: make new-usecase NAME=my_viewer" >&2; exit 2;; esac
	@test ! -e "usecases/$$NAME" || { echo "new-usecase: usecases/$$NAME exists already" >&2; exit 2; }
	@cp -R share/usecase "usecases/$$NAME"
	@echo "usecases/$$NAME: edit template.ipynb and params.json, then: make plan USECASE=$$NAME && make profile USECASE=$$NAME"

plan: export TRIAL := $(TRIAL)
plan: $(COMBINATIONS) programs $(if $(filter 1,$(TRIAL)),$(VENV_DONE)) ## predict the number of notebooks, time, disk and memory; runs nothing, or with TRIAL=1 one notebook
	@$(hold) --scratch "$(RUNS)" mk/plan "$$UC" $(LABEL)
