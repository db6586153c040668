# What a user sets, on the command line, in the environment or in a use case's
# usecase.mk; the words behind ## are shown by `make help`.
# In:  USECASE, and what it names: usecase.mk
# Out: the settings below, UC (the use case's folder), UC_NAME

# What is given from outside is text: no $(...) in it is make's to run.
literally = $(if $(filter environment,$(origin $(1))),$(eval $(1) := $$(value $(1))),$(if \
	$(findstring $(origin $(1)),command line environment override),$(eval override $(1) := $$(value $(1)))))
INSECURE_FROM := $(origin INSECURE)
SETTINGS := LABEL WHERE REPEAT RERUN RETRY KERNEL VENV WITH BASE A B FAIL_ON GATE ALLOW SEED HEADLESS WINDOW MAX_WAIT_TIME WAIT VIZ_SELECTOR SETTLE_MS \
	SCREENSHOTS KERNEL_MEMORY CORES SAMPLE_INTERVAL MIN_SAMPLES FIGURES_AS REPORT_TEMPLATE DEST AUTHOR PUE CARBON_INTENSITY CPU_WATTS MEMORY_WATTS \
	CLEAR_SESSIONS MEMORY_BYTES FILES LOG_LEVEL LOG_FILE BROWSER
$(foreach v,USECASE INSECURE NOTEBOOK NAME JUPYTERLAB_URL $(SETTINGS),$(call literally,$(v)))

# A command line is for all users of the machine to read.
ifneq ($(findstring command line,$(origin JUPYTERLAB_TOKEN) $(origin JUPYTERLAB_PASSWORD)),)
$(error JUPYTERLAB_TOKEN and JUPYTERLAB_PASSWORD stand in the environment or in .env: others can read a command line)
endif
ifneq ($(findstring token=,$(if $(findstring override,$(origin JUPYTERLAB_URL)),$(JUPYTERLAB_URL))),)
$(error a JUPYTERLAB_URL with a token stands in the environment or in .env: others can read a command line)
endif

# One word of the shell, for $(shell ...); recipes take what is not checked here
# from the environment, since a newline would begin another command there.
quoted = '$(subst ','\'',$(1))'
same = $(and $(findstring x$(1)x,x$(2)x),$(findstring x$(2)x,x$(1)x))
found_in = $(strip $(foreach c,$(2),$(findstring $(c),$(1))))
without = $(if $(2),$(call without,$(subst $(firstword $(2)),,$(1)),$(wordlist 2,99,$(2))),$(1))
digits := 0 1 2 3 4 5 6 7 8 9
letters := a b c d e f g h i j k l m n o p q r s t u v w x y z A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
hash := \#
special := $$ ` " ' \ ( ) { } [ ] < > & | ; * ? % : = ! $(hash)

# What a use case sets is not for a goal that runs something else.
GOAL := $(firstword $(MAKECMDGOALS))
ifeq ($(GOAL),calibrate)
USECASE ?= calibrate
endif
USECASE ?= quickstart ## a name under usecases/, or a path to a folder with template.ipynb and params.json|yaml
override USECASE := $(patsubst %/,%,$(strip $(USECASE)))
ifneq ($(words $(USECASE))$(call found_in,$(USECASE),$(special)),1)
$(error USECASE must be a path without blanks and without $(special), not '$(USECASE)')
endif
UC := $(patsubst %/template.ipynb,%,$(firstword $(wildcard usecases/$(USECASE)/template.ipynb $(USECASE)/template.ipynb) usecases/$(USECASE)/template.ipynb))
UC_NAME := $(notdir $(UC))

-include $(if $(filter profile-notebook,$(GOAL)),,$(UC)/usecase.mk)

# A misspelt variable would have no effect, and a sweep without its WHERE takes a day. Our own are overridden above.
GIVEN := $(filter-out WITH_%,$(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(v)))),$(v))))
UNKNOWN := $(if $(GIVEN),$(shell mk/unknown $(call quoted,$(UC)) $(foreach v,$(GIVEN),$(call quoted,$(v)))))
NOW_CALLED_QUIET := SETTLE_MS
NOW_CALLED_ONLY := WHERE
$(foreach v,$(UNKNOWN),$(error there is no variable '$(v)': $(if $(NOW_CALLED_$(v)),it is called $(NOW_CALLED_$(v)),make help lists them)))

LABEL ?= current ## results go to runs/LABEL, metrics/LABEL ...
WHERE ?= ## which combinations: 'n_images=1,3 image_pixel_side<=1000' (nbexpand --where)
REPEAT ?= 1 ## run each notebook so often
RERUN ?= ## failed: run those again that did not complete; all: every selected one
RETRY ?= 1 ## tries more when the browser or the server dies
KERNEL ?= ## a kernelspec of the server; empty: python3, or that of a template in another language
VENV ?= ## a Python environment of yours to profile unchanged
WITH ?= ## requirements of LABEL, in an environment of its own: 'jdaviz==4.5.2', '-e ../jdaviz'; WITH_x: of label x
BASE ?= ## compare: the label that LABEL is held against
A ?= ## ab: the label that B is held against
B ?= ## ab: the label that is compared
FAIL_ON ?= unknown ## compare fails on: worse (alone), unknown (too)
GATE ?= ## compare: the metrics that may fail; empty: client,kernel,memory,bytes
ALLOW ?= ## compare: what may differ besides WITH: machine browser jupyterlab kernel python nbscope packages all
SEED ?= 1 ## ab: which comes first, and what is drawn
HEADLESS ?= 1 ## 0: show the browser
WINDOW ?= 1600x1200 ## the browser's window, pixels
MAX_WAIT_TIME ?= 300 ## bound of each cell, seconds
WAIT ?= auto ## which cells wait for the viewer: auto, tags, none
VIZ_SELECTOR ?= ## CSS of the viewer; empty: all that cells draw
SETTLE_MS ?= 300 ## a viewer without a change for so many ms has settled
SCREENSHOTS ?= 0 ## 1: a PNG of the viewer after each cell; film: one more run, filmed, for its Speed Index
KERNEL_MEMORY ?= ## a kernel that takes more 10^6 bytes is ended; empty: no limit
CORES ?= ## the kernel on so many processors, or on these (0-3,6); empty: on all
SAMPLE_INTERVAL ?= 50 ## ms between two samples of what is used; 0: none
MIN_SAMPLES ?= 2 ## samples within a cell for its lowest and highest use of the CPU
FIGURES_AS ?= svg ## formats of figures: svg png pdf html
REPORT_TEMPLATE ?= ## report: a template of yours (metricreport(1)); empty: share/report/report.html
DEST ?= ## publish: where reports stand
AUTHOR ?= ## archive: who CITATION.cff names; empty: git's user.name
PUE ?= 1 ## power usage effectiveness: what the building needs for each joule
CARBON_INTENSITY ?= ## grams of CO2 equivalent a kWh
CPU_WATTS ?= ## watts of all processors at full work, for joules that are estimated
MEMORY_WATTS ?= ## watts of the memory, likewise
CLEAR_SESSIONS ?= 0 ## 1: end all sessions of your own server before
MEMORY_BYTES ?= ## bytes that a combination needs: an expression in its parameters
FILES ?= ## for profile-notebook: what stands beside the notebook
INSECURE ?= ## 1, on the command line only: accept any TLS certificate of your server, with a warning each time
LOG_LEVEL ?= WARNING ## DEBUG, INFO, WARNING, ERROR
LOG_FILE ?= ## also log there

# A desktop's BROWSER may be a script of its own: only browsers are taken.
BROWSER := $(or $(strip $(foreach b,$(BROWSER),$(if $(findstring firefox,$(b))$(findstring chrom,$(b)),$(b)))),chromium) ## chromium, firefox, or a path to one

# Values end at the comment's blank.
strip_all = $(foreach v,$(1),$(eval $(v) := $$(strip $$($(v)))))
$(call strip_all,$(SETTINGS))

override INSECURE := $(if $(findstring command line,$(INSECURE_FROM)),$(filter 1,$(INSECURE)))

export INSECURE MIN_SAMPLES PUE CARBON_INTENSITY CPU_WATTS MEMORY_WATTS LOG_LEVEL LOG_FILE HEADLESS WINDOW BROWSER KERNEL VENV CLEAR_SESSIONS

ifneq ($(words $(LABEL))$(call without,$(LABEL),$(letters) $(digits) . _ -)$(filter .% -%,$(LABEL)),1)
$(error LABEL must be one word of letters, digits, dot, dash and underscore that begins with none of the last, not '$(LABEL)')
endif
$(foreach v,BASE A B,$(if $($(v)),$(if $(filter-out 1,$(words $($(v)))$(call without,$($(v)),$(letters) $(digits) . _ -)$(filter .% -%,$($(v)))),\
	$(error $(v) must be a label, not '$($(v))'))))
ifneq ($(words $(REPEAT))$(call without,$(REPEAT),$(digits)),1)
$(error REPEAT must be a whole number, not '$(REPEAT)')
endif
ifneq ($(words $(RETRY))$(call without,$(RETRY),$(digits)),1)
$(error RETRY must be a whole number, not '$(RETRY)')
endif
one_of = $(if $(filter-out 0 1,$(words $($(1))))$(filter-out $(2),$($(1))),$(error $(1) must be one of: $(2); not '$($(1))'))
$(call one_of,SCREENSHOTS,0 1 film)
$(call one_of,RERUN,failed all)
$(call one_of,HEADLESS,0 1)
