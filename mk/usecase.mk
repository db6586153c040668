# New use cases, what a sweep would cost, and many use cases at once.
# In:  share/usecase/ (the skeleton); NAME=; USECASES=
# Out: usecases/NAME/ or NAME/; of all-usecases: DEST/index.html, DEST/verdict.json, DEST/USECASE/LABEL/

.PHONY: new-usecase plan all-usecases
new-usecase: export NAME := $(NAME)
new-usecase: ## NAME=x: start a use case in usecases/x; NAME=path/to/x: there
	@case "$$NAME" in */*) folder=$${NAME%/};; *) folder=usecases/$$NAME;; esac; \
	name=$${folder##*/}; \
	case "$$name" in ''|-*|*[!A-Za-z0-9_-]*) echo "new-usecase: NAME must be of letters, digits, dash and underscore, as in: make new-usecase NAME=my_viewer" >&2; exit 2;; esac; \
	case "$$folder" in *[!A-Za-z0-9_./+@,~-]*) echo "new-usecase: the path in NAME must be of letters, digits and _ . / + @ , ~ -, not '$$(mk/show/sanitize-text.sh "$$folder")'" >&2; exit 2;; esac; \
	test ! -e "$$folder" || { echo "new-usecase: $$folder exists already" >&2; exit 2; }; \
	mkdir -p "$${folder%/*}" && cp -R share/usecase "$$folder" && \
	echo "$$folder: edit template.ipynb and params.json, then: make plan USECASE=$${folder#usecases/} && make profile USECASE=$${folder#usecases/}"

plan: export TRIAL := $(TRIAL)
plan: export COMMANDS := $(COMMANDS)
plan: $(COMBINATIONS) programs $(if $(filter 1,$(TRIAL)),$(VENV_DONE)) ## predict the number of notebooks, time, disk and memory; runs nothing, or with TRIAL=1 one notebook
	@$(hold) --scratch "$(RUNS)" mk/run/predict-cost.sh "$$UC" $(LABEL)

all-usecases: export USECASES := $(USECASES)
all-usecases: programs ## USECASES='a b folder': profile each, report all with one index and one verdict, in DEST
	+@export PATH="$(CURDIR)/$(BIN):$$PATH" MAKE="$(MAKE)"; exec mk/run/profile-usecases.sh $(LABEL) "$${DEST:-build/all-usecases}"
