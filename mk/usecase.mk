# New use cases, what a sweep would cost, and many use cases at once.
# In:  share/usecase/ (the skeleton); NAME=; USECASES=
# Out: usecases/NAME/ or NAME/; of all-usecases: DEST/index.html, DEST/verdict.json,
#      DEST/USECASE/LABEL/

.PHONY: new-usecase plan all-usecases
new-usecase: ## NAME=x: start a use case in usecases/x; NAME=path/to/x: there
	@$(nbscope)/mk/generate/start-usecase.sh "$$NAME"

plan: ## predict notebooks, time, disk and memory; runs nothing, or with TRIAL=1 one notebook
plan: export TRIAL := $(TRIAL)
plan: export COMMANDS := $(COMMANDS)
plan: $(COMBINATIONS) programs $(if $(filter 1,$(TRIAL)),$(VENV_DONE))
	@$(hold) --scratch "$(RUNS)" $(nbscope)/mk/run/predict-cost.sh "$$UC" $(LABEL)

all-usecases: ## USECASES='a b folder': profile each, report all with one index and verdict, in DEST
all-usecases: export USECASES := $(USECASES)
all-usecases: programs
	+@export MAKE="$(MAKE)"; $(in_results) exec $(nbscope)/mk/run/profile-usecases.sh $(LABEL) \
		"$${DEST:-$(OUT)all-usecases}"
new-usecase: export NAME := $(NAME)
