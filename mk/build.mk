# The programs, compiled by a make of their own, in parallel, when something changed.
# In:  VERSION; tools/, share/ (some of it is embedded in programs); CC, CPPFLAGS, CFLAGS ...
# Out: NBSCOPE_VERSION; build/bin/NAME; PROGRAMS (their names), FIRST (those that are made before
#      the others), BUILT (newer than everything they are made from), SCHEMAS (those of records that
#      the catalogue of metrics describes)

NBSCOPE_VERSION := $(strip $(file <VERSION))
# What each program's main is in: tools/GROUP/NAME.c or tools/GROUP/NAME/NAME.c.
MAINS := $(filter-out tools/lib/%,$(wildcard tools/*/*.c) $(foreach d,$(wildcard \
	tools/*/*),$(wildcard $(d)/$(notdir $(d)).c)))
PROGRAMS := $(sort $(basename $(notdir $(MAINS))))
SCHEMAS := $(patsubst share/%.in,$(BUILD)/%,$(wildcard share/schema/*.in))
BUILT := $(BUILD)/.built
SOURCES := $(wildcard tools/*/*.[ch] tools/*/*/*.[ch] tools/*/lib/*/*.[ch]) \
	$(filter-out %.pyc,$(wildcard share/*/*.* share/*/*/*.* share/*/*/rules/*.* \
	share/profile/profilers))
# OTF2 archives (runtrace) are supported where these exist.
OPTIONAL_HEADERS := $(wildcard /usr/include/otf2/otf2.h /usr/local/include/otf2/otf2.h)

# On a fresh machine profile waits for the programs that it uses, and compiles the others at its
# end: a third of all, which make tables of anything, comparisons and reports.
FIRST := $(if $(or $(wildcard $(BIN)/*),$(filter-out profile profile-notebook,$(or \
	$(MAKECMDGOALS),help))),,cellmetrics metrics2csv runsum $(notdir $(basename $(filter \
	tools/run/% tools/generate/%,$(MAINS)))))

# V=1 shows the commands.
Q := $(if $(V),,@)

# Compiling uses all processors, unless -j says how many.
in_parallel = $(MAKE) COMPILE=$(or $(3),1) $(1) $(if $(findstring \
	jobserver,$(MAKEFLAGS)),,$(2) -j$$(($$(nproc)$(4))))

.PHONY: programs lines FORCE
programs: $(BUILT) ## build the programs

ifndef COMPILE
MADE_WITH := $(NBSCOPE_VERSION) $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(OPTIONAL_HEADERS)
CHANGED := $(filter-out $(wildcard $(BIN)/* $(BUILD)/schema/*),$(addprefix \
	$(BIN)/,$(PROGRAMS)) $(SCHEMAS))$(if $(call same,$(MADE_WITH),$(file <$(BUILT))),,flags)
$(BUILT): $(SOURCES) mk/build.mk mk/compile.mk $(if $(CHANGED),FORCE) | $(DEPS_DONE)
	+@$(call in_parallel,compiled $(if $(FIRST),ONLY='$(FIRST)') BEGAN=$$(date +%s),$(if \
		$(filter $(MAKECMDGOALS),$(GOALS_WITH_VENV)),$(shell \
		[ -e $(firstword $(VENV_DONE)) ] || echo $(firstword $(VENV_DONE)))))
	@printf '%s\n' '$(subst ','\'',$(MADE_WITH))' >$@
$(addprefix $(BIN)/,$(PROGRAMS)) $(SCHEMAS): $(BUILT) ;
endif

ifeq ($(COMPILE),later)
.PHONY: compiled
compiled: | $(COMPILE_DEPS)
	+@$(call in_parallel,$@ BEGAN=$$(date +%s))
endif

lines: programs ## count lines of C: of each program with all modules that it uses, and in total
	@tests/lines $(BUILD)/obj
