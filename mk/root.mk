# Where things are: nbscope's rules and files, its programs, and what it makes for itself.
# In:  nbscope, the folder of Makefile; NBSCOPE_BUILD; of an installed nbscope NBSCOPE_STORE, which
#      the command nbscope sets (share/install/nbscope)
# Out: INSTALLED (PREFIX; empty in a checkout, whose root is the current folder); BIN (programs);
#      STORE (environments of Python and what else nbscope makes for itself), CACHE (the same for
#      all versions); HERE (before BIN and STORE, it makes their paths absolute); OUT (where results
#      of no use case belong); OWN (the use cases that calibrate this machine); INSTALLED_IN (the
#      Python environment that nbscope is installed in, if it has JupyterLab); OWN_VENV (that of
#      nbscope's JupyterLab); BASE_PYTHON; TYPED (what a user types); MAKE

# Whether an environment of Python has what runs notebooks.
package_in = $(wildcard $(1)/lib/python*/site-packages/$(2)/__init__.py)
lab_in = $(and $(wildcard $(1)/bin/python),$(call package_in,$(1),ipykernel),$(call \
	package_in,$(1),jupyterlab))

ifneq ($(wildcard $(nbscope)/mk/build.mk),)
# Another folder for programs built with other flags (tests/tests.mk).
BUILD := $(or $(NBSCOPE_BUILD),build)
BIN := $(BUILD)/bin
STORE := build
CACHE := build
HERE := $(CURDIR)/
unexport NBSCOPE_STORE
OUT := build/
OWN := usecases
OWN_VENV := $(STORE)/venv
TYPED := make
else
INSTALLED := $(abspath $(nbscope)/../..)
BIN := $(INSTALLED)/bin
STORE := $(NBSCOPE_STORE)
$(if $(STORE),,$(error these rules are for the command nbscope, as in: nbscope profile))
CACHE := $(patsubst %/,%,$(dir $(STORE)))
OWN := $(CACHE)/usecases
INSTALLED_IN := $(if $(call lab_in,$(INSTALLED)),$(INSTALLED))
OWN_VENV := $(or $(INSTALLED_IN),$(STORE)/venv)
export NBSCOPE_VENV := $(or $(NBSCOPE_VENV),$(OWN_VENV))
TYPED := nbscope
MAKE := $(MAKE) -f $(nbscope)/Makefile
export NBSCOPE_BIN := $(BIN)
.PHONY: programs FORCE
programs:
endif
# What other environments are made with.
export BASE_PYTHON := $(if $(INSTALLED_IN),$(INSTALLED_IN)/bin/)python$(if $(INSTALLED_IN),,3)
export OWN_VENV TYPED
