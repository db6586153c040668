# What must be installed before anything is built or run.
# In:  BROWSER, WEBDRIVER_URL, the requirements.txt of share/ and tests/; APT and REQUIREMENTS of a
#      use case or a container
# Out: MACHINE (the processor, as uname calls it); MISSING_DRIVER (not empty: Firefox needs
#      geckodriver), CAN_FETCH_DRIVER, COMPILED_DRIVER;
#      DEPS_DONE, VENV_DONE and FIGURE_DONE (stamps in STORE); OWN_VENV (of JupyterLab), PYTHON,
#      INSTALLED_IN, BASE_PYTHON; REQUIRED (a checksum of REQUIREMENTS) and VENV, where there
#      are any; REQUIRED_HERE

# A browser here, if the runs need one, and Firefox's driver, if there is none.
BROWSER_KIND := $(firstword $(filter none,$(BROWSER)) $(if $(WEBDRIVER_URL),none) \
	$(findstring firefox,$(notdir $(BROWSER))) chromium)
MISSING_DRIVER := $(if $(filter firefox,$(BROWSER_KIND)),$(if \
	$(shell command -v geckodriver 2>&1),,geckodriver))
MACHINE := $(shell uname -m)
CAN_FETCH_DRIVER := $(filter x86_64,$(MACHINE))
COMPILED_DRIVER := $(if $(CAN_FETCH_DRIVER),,$(MISSING_DRIVER))

DEPS_DONE := $(STORE)/deps$(patsubst %,-%,$(filter-out chromium,$(BROWSER_KIND))).done
# In three steps: with Python the environment is made, and with a compiler the programs, while a
# browser is still being installed.
PYTHON_DEPS := $(if $(INSTALLED),$(DEPS_DONE),$(STORE)/deps-python.done)
COMPILE_DEPS := $(STORE)/deps-compile.done
LAST_DEPS := setup $(BROWSER_KIND) $(COMPILED_DRIVER)
FIGURE_DONE := $(STORE)/figure-venv/.done

# JupyterLab's environment: of an installed nbscope the one that it is installed in, if that has
# JupyterLab and what a use case takes of ours (own_packages). None is made where VENV has one.
package_in = $(wildcard $(1)/lib/python*/site-packages/$(2)/__init__.py)
lab_in = $(and $(wildcard $(1)/bin/python),$(call package_in,$(1),ipykernel),$(call \
	package_in,$(1),jupyterlab))
INSTALLED_IN := $(and $(INSTALLED),$(call lab_in,$(INSTALLED)),$(if $(strip $(foreach \
	p,$(own_packages),$(if $(call package_in,$(INSTALLED),$(p)),,no))),,$(INSTALLED)))
OWN_VENV := $(or $(INSTALLED_IN),$(STORE)/venv)
PYTHON := $(OWN_VENV)/bin/python
VENV_DONE := $(if $(INSTALLED_IN)$(and $(INSTALLED),$(VENV),$(call \
	lab_in,$(VENV))),,$(STORE)/venv/.done)
# What other environments are made with.
BASE_PYTHON := $(or $(INSTALLED_IN:%=%/bin/python),python3)
export OWN_VENV BASE_PYTHON
ifneq ($(INSTALLED),)
export NBSCOPE_VENV := $(or $(NBSCOPE_VENV),$(OWN_VENV))
endif

# Goals that start JupyterLab: its environment is made while the programs compile.
GOALS_WITH_VENV := setup profile explain leaks script record $(if $(filter 1,$(TRIAL)),plan) ab aa \
	whatif profile-notebook calibrate calibrate-cost bench faults soak test-asan test-valgrind

# An environment that cannot run notebooks is named before anything is done for it.
CAN_RUN := $(if $(and $(VENV),$(filter-out setup script,$(filter $(GOALS_WITH_VENV),$(if \
	$(DRY)$(JUPYTERLAB_URL),,$(MAKECMDGOALS))))),$(or $(call \
	package_in,$(VENV),ipykernel),$(call package_in,$(VENV),jupyterlab),$(shell \
	$(nbscope)/mk/setup/check-venv.sh $(call quoted,$(VENV)))))
$(if $(findstring VENV: ,$(CAN_RUN)),$(error $(call shown,$(CAN_RUN))))

# A first line where the first step takes minutes: the others come when their steps have ended.
$(if $(filter $(GOALS_WITH_VENV),$(MAKECMDGOALS)),$(if $(filter-out \
	$(wildcard $(VENV_DONE)),$(VENV_DONE)),$(info \
	setup: installing what is missing, which takes some minutes)))

.PHONY: setup
setup: ## install what is missing, build the programs; a line for each step, with its duration
setup: $(DEPS_DONE) programs $(VENV_DONE) $(FIGURE_DONE)
	$(if $(INSTALLED),,@cd "$$($(PYTHON) -c \
		'import sysconfig; print(sysconfig.get_path("purelib"))')" && \
		{ [ ! -w . ] || { echo '$(CURDIR)/share/ipython' >nbscope.pth.new && \
		mv nbscope.pth.new nbscope.pth; }; })
	$(if $(INSTALLED),,@[ ! -w $(OWN_VENV) ] || $(PYTHON) share/labextension/write.py \
		$(OWN_VENV)/share/jupyter/labextensions/nbscope)
	@echo "setup: nbscope is ready; next: $(TYPED) profile (the quickstart)," \
		"or $(if $(INSTALLED),nbscope run ,make profile-notebook NOTEBOOK=)path/to/it.ipynb"

install_deps = @mkdir -p $(@D) && $(nbscope)/mk/setup/install-deps.sh $(1) && touch $@
ifneq ($(INSTALLED),)
$(DEPS_DONE): $(nbscope)/share/packages
	$(call install_deps,$(if $(INSTALLED_IN),,python) $(LAST_DEPS))
else ifeq ($(COMPILE)$(wildcard $(DEPS_DONE)),)
# On a fresh machine all is made at once: one job waits for apt-get, one for packages of Python.
$(DEPS_DONE): share/packages
	+@$(call in_parallel,compiled $(if $(FIRST),ONLY='$(FIRST)') $@ $(if $(filter \
		$(MAKECMDGOALS),$(GOALS_WITH_VENV)),$(firstword $(VENV_DONE))),,later,+2)
else
$(PYTHON_DEPS): share/packages
	$(call install_deps,python --later compile $(LAST_DEPS))
$(COMPILE_DEPS): share/packages | $(PYTHON_DEPS)
	$(call install_deps,compile --later $(LAST_DEPS))
$(DEPS_DONE): share/packages | $(COMPILE_DEPS)
	$(call install_deps,$(LAST_DEPS))
endif

# $(call venv,NAME,REQUIREMENTS,MESSAGE,OPTIONS,COMMAND): the Python environment NAME.
define venv
$(STORE)/$(1)/.done: $(nbscope)/$(2) | $$(PYTHON_DEPS)
	@began=$$$$(date +%s); $(nbscope)/mk/setup/make-venv.sh $(4) $(STORE)/$(1) $$< \
		$(if $(5),&& $(5)) && \
		echo "$(3) in $(STORE)/$(1) ($$$$(($$$$(date +%s) - began)) s)"
endef
$(eval $(call venv,venv,share/lab/requirements.txt,setup: JupyterLab and jdaviz))
$(eval $(call venv,figure-venv,share/figure/requirements.txt,setup: the renderer of figures,\
	--without-pip,\
	$(STORE)/figure-venv/bin/python $(nbscope)/share/figure/render.py --library))
$(eval $(call venv,parquet-venv,share/parquet/requirements.txt,setup: pyarrow,\
	--without-pip))
$(eval $(call venv,testvenv,tests/requirements.txt,setup: what tests need,--uncompiled))

.PHONY: parquet
parquet: $(STORE)/parquet-venv/.done ## install what reads and writes Parquet files (pyarrow)

# What the notebooks need: Debian packages, and an environment of their own for REQUIREMENTS, unless
# VENV or WITH names another one, or they are in the container's, which REQUIRED_HERE identifies.
ifndef COMPILE
ifneq ($(APT),)
.PHONY: apt
VENV_DONE += apt
apt: $(DEPS_DONE)
	@$(nbscope)/mk/setup/install-deps.sh $(APT:%=deb:%)
endif
override REQUIREMENTS := $(or $(REQUIREMENTS),$(wildcard $(UC)/requirements.txt))
is_file = $(and $(call is_path,$(1)),$(wildcard $(1)))
$(if $(REQUIREMENTS),$(if $(call is_file,$(REQUIREMENTS)),,$(error REQUIREMENTS must be the path \
	of a file, without blanks, not '$(call shown,$(REQUIREMENTS))')))
checksum = $(if $(1),$(firstword $(shell cksum <$(1))))
REQUIRED := $(call checksum,$(REQUIREMENTS))
REQUIRED_HERE := $(call checksum,$(wildcard $(STORE)/requirements.txt))
ifneq ($(filter-out $(REQUIRED_HERE),$(REQUIRED)),)
ifeq ($(VENV)$(WITH)$(value WITH_$(LABEL))$(JUPYTERLAB_URL),)
override VENV := $(HERE)$(STORE)/venv-$(REQUIRED)
export REQUIREMENTS
VENV_DONE += $(STORE)/venv-$(REQUIRED)/.done
$(STORE)/venv-$(REQUIRED)/.done: $(nbscope)/share/lab/requirements.txt \
	| $(REQUIREMENTS) $(DEPS_DONE)
	@began=$$(date +%s); $(nbscope)/mk/setup/make-venv.sh $(@D) $(REQUIREMENTS) \
		"$$(grep ^ipykernel= $<)" && echo "setup: $(REQUIREMENTS)" \
		"in $(@D) ($$(($$(date +%s) - began)) s)"
endif
endif
endif
