# What must be installed before anything is built or run.
# In:  BROWSER, WEBDRIVER_URL, the requirements.txt of share/ and tests/; APT and REQUIREMENTS of a
#      use case or a container
# Out: MISSING_DRIVER (not empty: Firefox needs geckodriver), CAN_FETCH_DRIVER, COMPILED_DRIVER;
#      DEPS_DONE, VENV_DONE and FIGURE_DONE (stamps under build/); PYTHON (of JupyterLab's
#      environment); REQUIRED (a checksum of REQUIREMENTS) and VENV, where there are any;
#      REQUIRED_HERE

# A browser here, if the runs need one, and Firefox's driver, if there is none.
BROWSER_KIND := $(firstword $(filter none,$(BROWSER)) $(if $(WEBDRIVER_URL),none) \
	$(findstring firefox,$(notdir $(BROWSER))) chromium)
MISSING_DRIVER := $(if $(filter firefox,$(BROWSER_KIND)),$(if \
	$(shell command -v geckodriver 2>&1),,geckodriver))
CAN_FETCH_DRIVER := $(filter x86_64,$(shell uname -m))
COMPILED_DRIVER := $(if $(CAN_FETCH_DRIVER),,$(MISSING_DRIVER))

# What mk/setup/build-sources.sh makes of the archives in DEPS_FROM, for those without root.
OWN_DEPS := build/deps
ifneq ($(wildcard $(OWN_DEPS)/bin),)
export PATH := $(CURDIR)/$(OWN_DEPS)/bin:$(PATH)
endif

DEPS_DONE := build/deps$(patsubst %,-%,$(filter-out chromium,$(BROWSER_KIND))).done
VENV_DONE := build/venv/.done
FIGURE_DONE := build/figure-venv/.done
PYTHON := build/venv/bin/python

# Goals that start JupyterLab: its environment is made while the programs compile.
GOALS_WITH_VENV := setup profile explain script $(if $(filter 1,$(TRIAL)),plan) ab aa \
	profile-notebook calibrate calibrate-cost bench faults soak test-asan test-valgrind

# A first line where the first step takes minutes: the others come when their steps have ended.
$(if $(filter $(GOALS_WITH_VENV),$(MAKECMDGOALS)),$(if $(wildcard $(VENV_DONE)),,$(info \
	setup: installing what is missing, which takes some minutes)))

.PHONY: setup
setup: ## install what is missing, build the programs; a line for each step, with its duration
setup: $(DEPS_DONE) programs $(VENV_DONE) $(FIGURE_DONE)
	@cd "$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" && \
		{ [ ! -w . ] || { echo '$(CURDIR)/share/ipython' >nbscope.pth.new && \
		mv nbscope.pth.new nbscope.pth; }; }
	@echo "setup: nbscope is ready; next: make profile (the quickstart)," \
		"or make profile-notebook NOTEBOOK=path/to/it.ipynb"

$(DEPS_DONE): share/packages
	@mkdir -p $(@D)
	$(if $(DEPS_FROM),@mk/setup/build-sources.sh $(call quoted,$(DEPS_FROM)) $(OWN_DEPS))
	@mk/setup/install-deps.sh setup $(BROWSER_KIND) $(COMPILED_DRIVER)
	@touch $@

# $(call venv,NAME,REQUIREMENTS,MESSAGE,OPTIONS,COMMAND): the Python environment build/NAME.
define venv
build/$(1)/.done: $(2) | $$(DEPS_DONE)
	@began=$$$$(date +%s); mk/setup/make-venv.sh $(4) build/$(1) $$< $(if $(5),&& $(5)) && \
		echo "$(3) in build/$(1) ($$$$(($$$$(date +%s) - began)) s)"
endef
$(eval $(call venv,venv,share/lab/requirements.txt,setup: JupyterLab and jdaviz))
$(eval $(call venv,figure-venv,share/figure/requirements.txt,setup: the renderer of figures,\
	--without-pip,\
	build/figure-venv/bin/python share/figure/render.py --library))
$(eval $(call venv,parquet-venv,share/parquet/requirements.txt,setup: pyarrow,\
	--without-pip))
$(eval $(call venv,testvenv,tests/requirements.txt,setup: what tests need))

.PHONY: parquet
parquet: build/parquet-venv/.done ## install what reads and writes Parquet files (pyarrow)

# What the notebooks need: Debian packages, and an environment of their own for REQUIREMENTS, unless
# VENV or WITH names another one, or they are in the container's, which REQUIRED_HERE identifies.
ifndef COMPILE
ifneq ($(APT),)
.PHONY: apt
VENV_DONE += apt
apt: $(DEPS_DONE)
	@mk/setup/install-deps.sh $(APT:%=deb:%)
endif
override REQUIREMENTS := $(or $(REQUIREMENTS),$(wildcard $(UC)/requirements.txt))
is_file = $(and $(call is_path,$(1)),$(wildcard $(1)))
$(if $(REQUIREMENTS),$(if $(call is_file,$(REQUIREMENTS)),,$(error REQUIREMENTS must be the path \
	of a file, without blanks, not '$(call shown,$(REQUIREMENTS))')))
checksum = $(if $(1),$(firstword $(shell cksum <$(1))))
REQUIRED := $(call checksum,$(REQUIREMENTS))
REQUIRED_HERE := $(call checksum,$(wildcard build/requirements.txt))
ifneq ($(filter-out $(REQUIRED_HERE),$(REQUIRED)),)
ifeq ($(VENV)$(WITH)$(value WITH_$(LABEL))$(JUPYTERLAB_URL),)
override VENV := $(CURDIR)/build/venv-$(REQUIRED)
VENV_DONE += build/venv-$(REQUIRED)/.done
build/venv-$(REQUIRED)/.done: share/lab/requirements.txt | $(REQUIREMENTS) $(DEPS_DONE)
	@began=$$(date +%s); mk/setup/make-venv.sh $(@D) $(REQUIREMENTS) \
		"$$(grep ^ipykernel= $<)" && echo "setup: $(REQUIREMENTS)" \
		"in $(@D) ($$(($$(date +%s) - began)) s)"
endif
endif
endif
