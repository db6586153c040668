# Where things are: nbscope's rules and files, its programs, and what it makes for itself.
# In:  nbscope, the folder of Makefile; NBSCOPE_BUILD; of an installed nbscope NBSCOPE_STORE, which
#      the command nbscope sets (share/install/nbscope)
# Out: INSTALLED (PREFIX; empty in a checkout, whose root is the current folder); BIN (programs);
#      STORE (environments of Python and what else nbscope makes for itself), CACHE (the same for
#      all versions); HERE (before BIN and STORE, it makes their paths absolute); OUT (where results
#      of no use case belong); OWN (the use cases that calibrate this machine); TYPED (what a user
#      types); MAKE; DRY

# With make -n, what would be made of what is not there yet is printed, too.
DRY := $(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS))))

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
TYPED := make
else
INSTALLED := $(abspath $(nbscope)/../..)
BIN := $(INSTALLED)/bin
STORE := $(NBSCOPE_STORE)
$(if $(STORE),,$(error these rules are for the command nbscope, as in: nbscope profile))
CACHE := $(patsubst %/,%,$(dir $(STORE)))
OWN := $(CACHE)/usecases
TYPED := nbscope
MAKE := $(MAKE) -f $(nbscope)/Makefile
export NBSCOPE_BIN := $(BIN)
.PHONY: programs FORCE
programs:
endif
