# Settings: given on the command line, in the environment or in a use case's usecase.mk.
# In:  USECASE, and its usecase.mk
# Out: the settings below; UC (the use case's folder), UC_NAME; OF_NOTEBOOK (there is a NOTEBOOK
#      instead); make help, which shows the text after ##

# Values from outside are text: make does not expand $(...) in them.
literally = $(if $(filter environment,$(origin $(1))),$(eval $(1) := $$(value $(1))),$(if \
	$(findstring $(origin $(1)),command line environment override),$(eval \
	override $(1) := $$(value $(1)))))
INSECURE_FROM := $(origin INSECURE)
BROWSER_FROM := $(origin BROWSER)
LABEL_FROM := $(origin LABEL)
FILES_GIVEN := $(filter-out undefined,$(origin FILES))
ARGUMENTS_GIVEN := $(filter-out undefined,$(origin ARGUMENTS))
# The names of the table below, without those that are no settings for all targets.
SETTINGS := BROWSER $(filter-out USECASE INSECURE JOB_PROLOG,$(patsubst \
	%?=,%,$(filter %?=,$(subst $(empty) ?=,?=,$(file <mk/settings.mk)))))
$(foreach v,USECASE INSECURE NOTEBOOK NAME JUPYTERLAB_URL JOB_PROLOG $(SETTINGS),$(call \
	literally,$(v)))

# All users of the machine can read a command line, whose variables are overridden now.
readable = $(if $(filter command override,$(firstword $(origin $(1)))),$(if \
	$(2),$(findstring $(2),$($(1))),$(1)))
SECRETS := $(if $(or $(call readable,JUPYTERLAB_TOKEN),$(call readable,JUPYTERLAB_PASSWORD)),\
	JUPYTERLAB_TOKEN and JUPYTERLAB_PASSWORD belong)$(if \
	$(call readable,JUPYTERLAB_URL,token=),a JUPYTERLAB_URL with a token belongs)$(if \
	$(call readable,WEBDRIVER_URL,@),a WEBDRIVER_URL with a password belongs)
$(if $(SECRETS),$(error $(strip $(SECRETS)) in the environment$(if \
	$(findstring JUPYTERLAB,$(SECRETS)), or in .env): others can read a command line))

# One word of the shell, for $(shell ...); recipes take what is not checked here
# from the environment, since a newline would begin another command there.
quoted = '$(subst ','\'',$(1))'
# As a message may show it: without what controls a terminal.
shown = $(shell mk/show/sanitize-text.sh $(call quoted,$(1)))
same = $(and $(findstring x$(1)x,x$(2)x),$(findstring x$(2)x,x$(1)x))
found_in = $(strip $(foreach c,$(2),$(findstring $(c),$(1))))
without = $(if $(2),$(call without,$(subst $(firstword $(2)),,$(1)),$(wordlist 2,99,$(2))),$(1))
hash := \#
special := $$ ` " ' \ ( ) { } [ ] < > & | ; * ? % : = ! $(hash)
# A path without any of these, and without blanks.
is_path = $(if $(filter 1,$(words $(1))$(call found_in,$(1),$(special))),yes)

GOAL := $(firstword $(MAKECMDGOALS))
# With NOTEBOOK on the command line there is no use case. The notebook's folder may have any name,
# so recipes have it from mk/generate/name-folder.sh (mk/lock.mk).
OF_NOTEBOOK := $(if $(NOTEBOOK)$(filter profile-notebook,$(GOAL)),$(filter \
	profile-notebook override,$(GOAL) $(origin NOTEBOOK)))
ifeq ($(GOAL),calibrate)
USECASE ?= $(if $(filter widgets,$(CALIBRATE)),widgets,calibrate)
endif
## text; -; a folder below usecases/, or the path of any folder with template.ipynb and params.json
## or params.yaml
USECASE ?= quickstart
override USECASE := $(patsubst %/,%,$(strip $(USECASE)))
$(if $(call is_path,$(USECASE)),,$(error USECASE must be a path without blanks and without \
	$(special), not '$(call shown,$(USECASE))'))
# A folder with results alone is one, too.
folders = $(patsubst %/$(1),%,$(wildcard usecases/$(USECASE)/$(1) $(USECASE)/$(1)))
UC := $(if $(OF_NOTEBOOK),/nonexistent,$(firstword \
	$(call folders,template.ipynb) $(call folders,metrics) usecases/$(USECASE)))
UC_NAME := $(notdir $(UC))

-include $(UC)/usecase.mk

# A misspelt variable would have no effect, and a sweep without its WHERE takes a day. Our own are
# overridden above.
GIVEN := $(filter-out WITH_%,$(foreach v,$(.VARIABLES),$(if \
	$(filter command,$(firstword $(origin $(v)))),$(v))))
UNKNOWN := $(if $(filter-out USECASE NOTEBOOK $(SETTINGS),$(GIVEN)),$(shell \
	mk/setup/find-unknown.sh $(call quoted,$(UC)) $(foreach v,$(GIVEN),$(call quoted,$(v)))))
NOW_CALLED_QUIET := SETTLE_MS
NOW_CALLED_ONLY := WHERE
# Most goals are known without reading all rules.
GOALS_WITH_NOTEBOOKS := calibrate generate plan profile metrics prepare ab aa explain report \
	archive script
GOALS_WITH_RESULTS := compare check history scaling figures publish status cancel
OTHER_GOALS := $(filter-out $(GOALS_WITH_NOTEBOOKS) $(GOALS_WITH_RESULTS),$(MAKECMDGOALS))
NO_TARGET := $(if $(OTHER_GOALS),$(shell mk/setup/suggest-target.sh '$(MAKEFILE_LIST)' \
	$(foreach g,$(OTHER_GOALS),$(call quoted,$(g)))))
$(if $(NO_TARGET),$(error $(NO_TARGET)))
$(foreach v,$(UNKNOWN),$(error there is no variable '$(call shown,$(v))': $(if \
	$(NOW_CALLED_$(v)),it is called $(NOW_CALLED_$(v)),see 'make help')))

## label; -; name of these results, which are in runs/LABEL, metrics/LABEL ...
LABEL ?= current
## text; -; which combinations: 'n_images=1,3 image_pixel_side<=1000' (nbexpand --where)
WHERE ?=
## number; :repeat; number of runs of each notebook
REPEAT ?= 1
## failed all; -; failed: run again what did not complete or lost its executed notebook; all: run
## every selected notebook again
RERUN ?=
## number; -; further attempts when the browser or the server dies
RETRY ?= 1
## serial local slurm; -; serial: one run after the other; local: JOBS at once; slurm: as tasks of a
## cluster
ENGINE ?= serial
## number?; -; how many runs at once, each with processors of its own (ENGINE=local); of a cluster:
## empty: no limit
JOBS ?=
## text; -; ENGINE=slurm: options of sbatch: '--account=x --partition=y'
JOB_OPTIONS ?=
## text; -; ENGINE=slurm: lines of the shell before each run: 'module load chromium'
JOB_PROLOG ?=
## text; -; profile: a command that gets the verdict as JSON, however the sweep ended
ON_END ?=
## text; kernel; a kernelspec of the server; empty: python3, or the template's own if it is in
## another language
KERNEL ?=
## text; venv; path of your own Python environment, used unchanged
VENV ?=
## text; -; packages to measure, installed in an environment for LABEL: 'jdaviz==5.0.2', '-e
## ../jdaviz'; WITH_x: those of label x
WITH ?=
## label?; -; compare, report: the label that LABEL is compared with
BASE ?=
## label?; -; ab: the label that B is compared with
A ?=
## label?; -; ab: the other label
B ?=
## text; -; worse: compare fails only if something is worse; unknown: also if it cannot tell
FAIL_ON ?= unknown
## text; -; compare: metrics that decide the verdict; empty: client,kernel,memory,bytes
GATE ?=
## text; -; compare: what else may differ between the labels: machine browser jupyterlab kernel
## python nbscope packages notebook files settings all
ALLOW ?=
## text; -; seed of every random choice: the order of ab, resampling
SEED ?= 1
## text; -; address of a Selenium Grid or another WebDriver that opens the browsers, here or on
## other machines
WEBDRIVER_URL ?=
## text; lab_host; an address or name of this machine at which JupyterLab listens, with TLS, for
## browsers elsewhere; empty: loopback only
LAB_HOST ?=
## 0 1; page headless; 0: show the browser
HEADLESS ?= 1
## text; page window; the browser's window, pixels
WINDOW ?= 1600x1200
## text; --max-wait-time; limit for each cell, kernel and output together, seconds
MAX_WAIT_TIME ?= 300
## text; page --wait; which cells wait for their output to settle: auto, tags, none
WAIT ?= auto
## text; page --viz-selector; CSS selector of the output to watch; empty: everything that cells show
VIZ_SELECTOR ?=
## fresh warm reuse; set page; fresh: each notebook has a browser of its own; warm: one with
## JupyterLab in its caches; reuse: the page stays for the next notebook
PAGE ?= fresh
## number; page --settle-ms; an output that has not changed for this many ms has settled
SETTLE_MS ?= 300
## text; -; explain: the passes, any of those in share/profile/profilers; functions+dask: two in one
## pass
PROFILERS ?= functions lines
## text; -; explain, script: numbers of code cells (5,8) or all; empty: those with tags, else
## explain: the five that take most of the kernel's time; script: all
CELLS ?=
## text; -; explain: for lines: package.module:Class.method, modules or patterns; empty: those of
## your packages that hold 80 % of the time
FUNCTIONS ?=
## text; -; explain: your own decorators that profile functions: 'dask=package.module:name
## single_thread=package.module:name'
DECORATORS ?=
## 0 1 film; :screenshots; 1: a PNG of the output after each cell; film: one more run, filmed, for
## its Speed Index
SCREENSHOTS ?= 0
## text; :kernel_memory; limit on the kernel's memory, 10^6 bytes: a kernel above it is killed;
## empty: no limit
KERNEL_MEMORY ?=
## text; kernel_prefix; a command under which kernels run, such as 'perf record -g -o {run}.perf';
## its files: runs/LABEL/NAME.files
KERNEL_PREFIX ?=
## 0 1; set remote_samples; 1: sample a kernel on another machine there, with Python in the kernel
REMOTE_SAMPLES ?= 0
## text; --cores; pin the kernel to this many processors, or to these (0-3,6); empty: all
CORES ?=
## text; sample_interval; interval between two samples of resource usage, ms; 0: no samples
SAMPLE_INTERVAL ?= 50
## text; -; samples that a cell needs for its minimum and maximum CPU use
MIN_SAMPLES ?= 2
## text; -; figures: formats, any of svg png pdf html json
FIGURES_AS ?= svg
## text; -; report: your own template (metricreport(1)); empty: share/report/report.html
REPORT_TEMPLATE ?=
## text; -; publish: the folder to copy reports to; all-usecases: likewise, empty:
## build/all-usecases
DEST ?=
## text; -; all-usecases: use cases, and folders below which they are: 'quickstart ../mine'
USECASES ?=
## text; -; archive: the author in CITATION.cff; empty: git's user.name
AUTHOR ?=
## text; -; power usage effectiveness of the building: total power / power of the machine
PUE ?= 1
## text; -; carbon intensity of the electricity, grams of CO2 equivalent per kWh
CARBON_INTENSITY ?=
## text; -; country of the electricity, such as FRA: its CARBON_INTENSITY, as codecarbon has it
COUNTRY ?=
ifneq ($(if $(strip $(CARBON_INTENSITY)),,$(strip $(COUNTRY))),)
CARBON_INTENSITY := $(shell mk/metric/print-carbon.sh $(call quoted,$(strip $(COUNTRY))))
$(if $(CARBON_INTENSITY),,$(error COUNTRY is not known))
endif
## text; cpu_watts; watts of all processors at full load, where energy is estimated
CPU_WATTS ?=
## text; memory_watts; watts of the memory, where energy is estimated
MEMORY_WATTS ?=
## text; -; 1: end all sessions of your own server first
CLEAR_SESSIONS ?= 0
## text; :memory_bytes; memory that a combination needs, bytes: an expression in its parameters
MEMORY_BYTES ?=
## text; made_files; files in files/ that rules in usecase.mk make or fetch before the runs; their
## checksums are recorded
MADE_FILES ?=
## 0 1; set cold; 1: before each run, drop the files next to the notebook from the system's page
## cache
COLD ?= 0
## text; -; profile-notebook: names of the files and folders next to the notebook that it needs; not
## given: those of the last call
FILES ?=
## text; -; arguments of a NOTEBOOK that is a script, quoted as in a shell; not given: those of the
## last call
ARGUMENTS ?=
## metrics widgets; -; calibrate: metrics: bias of each metric; widgets: of the last visual change,
## for each kind of widget
CALIBRATE ?= metrics
## 0 1; -; plan: 1: if no run says how long it takes, run one notebook
TRIAL ?= 0
## 0 1; -; plan: 1: only print the commands of each run, as one line for a shell
COMMANDS ?= 0
## text; -; 1: accept any TLS certificate of your server, with a warning; on the command line only
INSECURE ?=
## text; -; setup: a folder with source archives of jansson, libyaml, libmd, bats, to build them
## without root
DEPS_FROM ?=
## text; -; DEBUG, INFO, WARNING, ERROR
LOG_LEVEL ?= WARNING
## text; -; a file to which messages are also appended
LOG_FILE ?=

# A desktop may set BROWSER to a script: of the environment, only browsers are accepted.
a_browser = $(or $(filter chromium firefox none,$(1)),$(and $(findstring \
	firefox,$(notdir $(1)))$(findstring chrom,$(notdir $(1))),$(or $(findstring \
	/,$(1)),$(shell command -v $(call quoted,$(1))))))
## text; browser; chromium, firefox, the path of either, or none: the kernel's times alone
BROWSER := $(or $(if $(filter environment,$(BROWSER_FROM)),$(firstword $(foreach \
	b,$(BROWSER),$(if $(call a_browser,$(b)),$(b)))),$(strip $(BROWSER))),chromium)
$(if $(and $(filter 1,$(words $(BROWSER))),$(call a_browser,$(BROWSER))),,$(error BROWSER must be \
	chromium, firefox, the path of either, or none, not '$(call shown,$(BROWSER))'))

# A value ends with the blank before its comment.
$(foreach v,$(SETTINGS),$(eval $(v) := $$(strip $$($(v)))))

override INSECURE := $(if $(findstring command line,$(INSECURE_FROM)),$(filter 1,$(INSECURE)))

# What JupyterLab and the browser of a run need in addition to MEMORY_BYTES, here and on a cluster.
export SPARE_BYTES := 2000000000

export INSECURE MIN_SAMPLES PUE CARBON_INTENSITY COUNTRY CPU_WATTS MEMORY_WATTS LOG_LEVEL LOG_FILE
export HEADLESS WINDOW BROWSER WEBDRIVER_URL LAB_HOST KERNEL VENV CLEAR_SESSIONS PAGE

# What the table allows, and what of it goes into the records of runs: mk/setup/check-settings.sh.
define newline


endef
CHECKED := $(shell mk/setup/check-settings.sh $(foreach v,$(SETTINGS),$(call quoted,$(v)=$($(v)))))
$(if $(findstring !!,$(CHECKED)),$(error $(call shown,$(subst !!,,$(CHECKED)))))
page_excludes = $(if $(and $(filter $(1),$(PAGE)),$(3)),$(error PAGE=$(PAGE) excludes $(2)))
$(call page_excludes,reuse,ENGINE=$(ENGINE),$(filter-out serial,$(ENGINE)))
$(call page_excludes,warm,ENGINE=$(ENGINE),$(filter slurm,$(ENGINE)))
$(call page_excludes,warm,WEBDRIVER_URL,$(WEBDRIVER_URL))
$(call page_excludes,warm reuse,BROWSER=$(BROWSER),$(findstring none,$(BROWSER))$(findstring \
	firefox,$(BROWSER)))
$(call page_excludes,reuse,make $(GOAL),$(filter ab aa,$(MAKECMDGOALS)))
$(if $(and $(filter none,$(BROWSER)),$(filter-out 0,$(SCREENSHOTS))),$(error \
	SCREENSHOTS=$(SCREENSHOTS) needs a browser, and BROWSER=none has none))

.PHONY: help
help: ## print this text
	@echo 'nbscope: what each cell of a notebook costs the person in front of the browser'
	@echo
	@echo 'usage: make TARGET [VARIABLE=value ...]'
	@echo
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | sort -u | \
		awk -F '\t' '{printf "  %-18s %s\n", $$1, $$2}'
	@echo
	@echo 'variables, with their defaults:'
	@mk/setup/check-settings.sh --help-table mk/settings.mk mk/tasks.mk
