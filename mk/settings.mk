# Settings: given on the command line, in the environment or in a use case's usecase.mk.
# In:  share/settings, the table of them; share/doors; USECASE, and its usecase.mk
# Out: the settings; UC (the use case's folder), UC_NAME; OF_NOTEBOOK (there is a NOTEBOOK instead);
#      CHECKED (what of them goes into the records of runs); make help

# Values from outside are text: make does not expand $(...) in them.
literally = $(if $(filter environment,$(origin $(1))),$(eval $(1) := $$(value $(1))),$(if \
	$(findstring $(origin $(1)),command line environment override),$(eval \
	override $(1) := $$(value $(1)))))
INSECURE_FROM := $(origin INSECURE)
BROWSER_FROM := $(origin BROWSER)
# Shells count the lines of their terminal in a variable of this name.
LINES_FROM := $(origin LINES)
FILES_GIVEN := $(filter-out undefined,$(origin FILES))
ARGUMENTS_GIVEN := $(filter-out undefined,$(origin ARGUMENTS))
PARAMS_GIVEN := $(findstring command line,$(origin PARAMS))
OUTPUT_GIVEN := $(findstring command line,$(origin OUTPUT))
names_in = $(patsubst %?=,%,$(filter %?=,$(subst $(empty) ?=,?=,$(file <$(1)))))
SETTINGS := $(call names_in,$(nbscope)/share/settings)
$(foreach v,NOTEBOOK NAME JUPYTERLAB_URL $(SETTINGS),$(call literally,$(v)))

# All users of the machine can read a command line, whose variables are overridden now.
readable = $(if $(filter command override,$(firstword $(origin $(1)))),$($(1)))
$(if $(call readable,JUPYTERLAB_TOKEN)$(call readable,JUPYTERLAB_PASSWORD)$(findstring \
	token=,$(call readable,JUPYTERLAB_URL))$(findstring @,$(call readable,WEBDRIVER_URL)),\
	$(error tokens and passwords belong in the environment, those of JupyterLab also in .env: \
	others can read a command line))

# One word of the shell, for $(shell ...); recipes take what is not checked here
# from the environment, since a newline would begin another command there.
quoted = '$(subst ','\'',$(1))'
# As a message may show it: without what controls a terminal.
shown = $(shell $(nbscope)/mk/show/sanitize-text.sh $(call quoted,$(1)))
same = $(and $(findstring x$(1)x,x$(2)x),$(findstring x$(2)x,x$(1)x))
without = $(if $(2),$(call without,$(subst $(firstword $(2)),,$(1)),$(wordlist 2,99,$(2))),$(1))
hash := \#
special := $$ ` " ' \ ( ) { } [ ] < > & | ; * ? % : = ! $(hash)
# A path without any of these, and without blanks.
is_path = $(if $(filter 1,$(words $(1) $(foreach c,$(special),$(findstring $(c),$(1))))),yes)
define newline


endef

# A desktop may set BROWSER to a script: of the environment, only a browser is accepted.
a_browser = $(or $(filter chromium firefox none,$(1)),$(and $(findstring \
	firefox,$(notdir $(1)))$(findstring chrom,$(notdir $(1))),$(or $(findstring \
	/,$(1)),$(shell command -v $(call quoted,$(1))))))
ifeq ($(BROWSER_FROM),environment)
BROWSER := $(firstword $(foreach b,$(BROWSER),$(if $(call a_browser,$(b)),$(b))))
$(if $(BROWSER),,$(eval undefine BROWSER))
endif

GOAL := $(firstword $(MAKECMDGOALS))
# With NOTEBOOK on the command line there is no use case. The notebook's folder may have any name,
# so recipes have it from mk/generate/name-folder.sh (mk/lock.mk).
OF_NOTEBOOK := $(if $(NOTEBOOK)$(filter profile-notebook,$(GOAL)),$(filter \
	profile-notebook override,$(GOAL) $(origin NOTEBOOK)))
ifeq ($(GOAL),calibrate)
USECASE ?= $(if $(filter widgets,$(CALIBRATE)),widgets,calibrate)
endif
USECASE ?= $(patsubst USECASE=%,%,$(filter USECASE=%,$(subst $(empty) ?= ,=,$(file \
	<$(nbscope)/share/settings))))
override USECASE := $(patsubst %/,%,$(strip $(USECASE)))
$(if $(call is_path,$(USECASE)),,$(error USECASE must be a path without blanks and without \
	$(special), not '$(call shown,$(USECASE))'))
GOALS_WITH_NOTEBOOKS := calibrate generate plan profile metrics prepare ab bisect aa explain \
	leaks report archive script record whatif
# A folder with results alone is one, too.
folders = $(patsubst %/$(1),%,$(wildcard $(addsuffix /$(USECASE)/$(1),usecases $(OWN)) \
	$(USECASE)/$(1)))
# The use cases of an installed nbscope are examples, which are copied when they are used.
ifneq ($(INSTALLED),)
EXAMPLE := $(wildcard $(nbscope)/usecases/$(USECASE)/template.ipynb)
$(if $(and $(EXAMPLE),$(filter $(GOALS_WITH_NOTEBOOKS) calibrate-cost,$(GOAL))),$(if \
	$(OF_NOTEBOOK)$(call folders,template.ipynb)$(call folders,metrics),,$(shell \
	$(nbscope)/mk/generate/copy-example.sh $(nbscope)/usecases/$(USECASE) \
	$(if $(filter calibrate%,$(GOAL) $(USECASE)),$(OWN),usecases) >&2)))
endif
UC := $(if $(OF_NOTEBOOK),/nonexistent,$(firstword \
	$(call folders,template.ipynb) $(call folders,metrics) usecases/$(USECASE)))
UC_NAME := $(notdir $(UC))

include $(wildcard $(UC)/usecase.mk)

# A misspelt variable would have no effect, and a sweep without its WHERE takes a day. Our own are
# overridden above.
GIVEN := $(filter-out WITH_%,$(foreach v,$(.VARIABLES),$(if \
	$(filter command,$(firstword $(origin $(v)))),$(v))))
UNKNOWN := $(if $(GIVEN),$(shell \
	$(nbscope)/mk/setup/find-unknown.sh $(call quoted,$(UC)) $(foreach v,$(GIVEN),$(call \
	quoted,$(v)))))
# Most goals are known without reading all rules.
# With DATA on the command line, a campaign is compared or published: share/tasks/tasks.mk.
CAMPAIGN := $(if $(filter command,$(firstword $(origin DATA))),$(filter \
	compare publish,$(MAKECMDGOALS)))
GOALS_WITH_RESULTS := $(filter-out $(CAMPAIGN),compare check history scaling figures publish \
	status cancel)
OTHER_GOALS := $(filter-out $(GOALS_WITH_NOTEBOOKS) $(GOALS_WITH_RESULTS),$(MAKECMDGOALS))
NO_TARGET := $(if $(OTHER_GOALS),$(shell $(nbscope)/mk/setup/suggest-target.sh '$(MAKEFILE_LIST)' \
	$(foreach g,$(OTHER_GOALS),$(call quoted,$(g)))))
$(if $(NO_TARGET),$(error $(call shown,$(NO_TARGET))))
$(foreach v,$(UNKNOWN),$(error there is no variable '$(call shown,$(v))': see '$(TYPED) help'))

# make ab, also that of bisect, goes on until it is decided, unless a number of runs is given.
DECIDES := $(filter ab bisect,$(MAKECMDGOALS))
UNTIL_DECIDED := $(filter auto,$(or $(strip $(REPEAT)),$(if $(DECIDES),auto)))
ifneq ($(UNTIL_DECIDED),)
$(if $(DECIDES),,$(error REPEAT=auto is for $(TYPED) ab; elsewhere it is a number))
override REPEAT := 1
endif
include $(nbscope)/share/settings
# A value ends with the blanks before its comment.
strip_values = $(foreach v,$(1),$(eval $(v) := $$(strip $$($(v)))))
$(call strip_values,$(filter-out JOB_PROLOG ARGUMENTS PARAMS OUTPUT,$(SETTINGS)))
override INSECURE := $(if $(findstring command line,$(INSECURE_FROM)),$(filter 1,$(INSECURE)))
$(if $(and $(PARAMS_GIVEN)$(OUTPUT_GIVEN),$(if $(OF_NOTEBOOK),,yes)),$(error \
	PARAMS and OUTPUT are for profile-notebook, not for a use case))
ifneq ($(if $(CARBON_INTENSITY),,$(COUNTRY)),)
CARBON_INTENSITY := $(shell $(nbscope)/mk/metric/print-carbon.sh $(call quoted,$(COUNTRY)))
$(if $(CARBON_INTENSITY),,$(error COUNTRY is not known))
endif

# What JupyterLab and the browser of a run need in addition to MEMORY_BYTES, here and on a cluster.
export SPARE_BYTES := 2000000000

export INSECURE MIN_SAMPLES PUE CARBON_INTENSITY COUNTRY CPU_WATTS MEMORY_WATTS LOG_LEVEL LOG_FILE
export ITEMS ITEMS_SHARE
export override DASK_TARGETS := $(if $(DASK_TARGETS),$(if $(filter \
	/%,$(firstword $(DASK_TARGETS))),,$(CURDIR)/)$(DASK_TARGETS))
export HEADLESS WINDOW BROWSER WEBDRIVER_URL LAB_HOST KERNEL VENV CLEAR_SESSIONS PAGE

$(if $(and $(filter 1,$(words $(BROWSER))),$(call a_browser,$(BROWSER))),,$(error BROWSER must be \
	chromium, firefox, the path of either, or none, not '$(call shown,$(BROWSER))'))
CHECKED := $(shell $(nbscope)/mk/setup/check-settings.sh $(foreach v,$(filter-out \
	JOB_PROLOG,$(SETTINGS)),$(call quoted,$(v)=$($(v)))))
$(if $(findstring !!,$(CHECKED)),$(error $(call shown,$(subst !!,,$(CHECKED)))))
# What it names is kept, not made.
$(if $(and $(findstring @previous,$(LABEL)$(A)$(B)),$(filter-out \
	compare report clean publish archive figures,$(or $(MAKECMDGOALS),profile))),$(error \
	the name of a label has no @previous: that is of its runs before a change, for BASE, \
	report and clean))
page_excludes = $(if $(and $(filter $(1),$(PAGE)),$(3)),$(error PAGE=$(PAGE) excludes $(2)))
$(call page_excludes,reuse,ENGINE=$(ENGINE),$(filter-out serial,$(ENGINE)))
$(call page_excludes,reuse,BROWSER=$(BROWSER),$(findstring none,$(BROWSER))$(findstring \
	firefox,$(BROWSER)))
$(call page_excludes,reuse,$(TYPED) $(GOAL),$(DECIDES)$(filter aa,$(MAKECMDGOALS)))
$(if $(and $(filter none,$(BROWSER)),$(filter-out 0,$(SCREENSHOTS))),$(error \
	SCREENSHOTS=$(SCREENSHOTS) needs a browser, and BROWSER=none has none))

.PHONY: help
help: ## print this text
	@echo 'nbscope: what each cell of a notebook costs the person in front of the browser'
	@echo
	@echo 'usage: $(TYPED) TARGET [VARIABLE=value ...]'
	@echo
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | sort -u | \
		awk -F '\t' '{printf "  %-18s %s\n", $$1, $$2}'
	@echo
	@echo 'variables, with their defaults:'
	@awk -F '  +(# )?' '/^[A-Z]/ { name = $$1; sub(/ .*/, "", name); \
		printf "  %-16s %-12s %s\n", name, substr($$1, length(name) + 5), $$4 }' \
		$(nbscope)/share/settings $(nbscope)/share/tasks/settings
	@echo
	@echo 'where to begin, and which page to read ($(if \
		$(INSTALLED),man NAME,man -l man/NAME.7)):'
	@awk -v typed=$(TYPED) -F '  +' '!/^#/ { if (typed == "nbscope") \
			sub(/^make profile-notebook NOTEBOOK=/, "make run ", $$2); \
		sub(/^make/, typed, $$2); \
		printf "  %s, %s:\n    %s\n", $$1, $$3, $$2 }' $(nbscope)/share/doors
