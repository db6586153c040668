# The programs, compiled by a make of their own, in parallel, when something changed.
# In:  tools/, share/ (some of it stands inside programs); CC, CPPFLAGS, CFLAGS, LDFLAGS
# Out: build/bin/NAME; BIN (their folder), PROGRAMS (their names), BUILT (newer than all that they are made from)

# Elsewhere for programs built with other flags (mk/sanitize.mk).
BUILD := $(or $(NBSCOPE_BUILD),build)
BIN := $(BUILD)/bin
PROGRAMS := $(sort $(patsubst tools/%.c,%,$(wildcard tools/*.c)) $(filter-out lib,$(patsubst tools/%/,%,$(wildcard tools/*/))))
BUILT := $(BUILD)/.built
SOURCES := $(wildcard tools/*.[ch] tools/*/*.[ch] tools/*/*/*.[ch] $(foreach d,figure lab page parquet report,share/$(d)/*))
# OTF2 archives (runtrace) and PNG (cellgraph): compiled in where these are.
OPTIONAL_HEADERS := $(sort $(wildcard $(foreach d,/usr/include /usr/local/include,$(d)/otf2/otf2.h $(d)/librsvg-2.0/librsvg/rsvg.h)))

# V=1 shows the commands.
Q := $(if $(V),,@)
say = $(if $(V),,@echo '  $(1)')

# What is compiled uses all processors; whoever says -j has said how many.
in_parallel = $(MAKE) COMPILE=1 $(if $(findstring jobserver,$(MAKEFLAGS)),$(1),-j$$(nproc) $(1) $(2))

.PHONY: programs lines FORCE
programs: $(BUILT) ## build the programs

ifndef COMPILE
MADE_WITH := $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(OPTIONAL_HEADERS)
CHANGED := $(filter-out $(wildcard $(BIN)/*),$(addprefix $(BIN)/,$(PROGRAMS)))$(if $(call same,$(MADE_WITH),$(file <$(BUILT))),,flags)
$(BUILT): $(SOURCES) mk/build.mk mk/compile.mk $(if $(CHANGED),FORCE) | $(DEPS_DONE)
	+@$(call in_parallel,compiled,$(if $(filter $(GOALS_WITH_VENV),$(MAKECMDGOALS)),$(VENV_DONE)))
	@printf '%s\n' '$(subst ','\'',$(MADE_WITH))' >$@
$(addprefix $(BIN)/,$(PROGRAMS)): $(BUILT) ;
endif

lines: programs ## lines of C: of each program with all that it reaches, and in all
	@tests/lines $(BUILD)/obj
