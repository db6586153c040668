# Fuzz everything that parses input, under the address and undefined-behaviour sanitizers, with
# clang's libFuzzer (and node, if there is one, for the page's script). Users do not need clang.
# In:  tests/fuzz/, tools/
# Out: build/fuzz/{bin,corpus,findings}; a table

FUZZ_SECONDS ?= 1800
FUZZ := build/fuzz
# Parsers are called in one process; filters are run as a whole.
FUZZ_READERS := record yaml notebook dotenv request csv http table
FUZZ_FILTERS = $(filter-out labserve netshape wdsession runlock cellrun celllisten cellprofile \
	gpuread kernelrun remotesample vizwait,$(PROGRAMS))
FUZZ_TARGETS = $(addprefix filter-,$(FUZZ_FILTERS)) $(FUZZ_READERS)

.PHONY: fuzz-tools fuzz fuzz-short fuzz-programs fuzz-corpus faults-input
FUZZ_CC := clang
fuzz-tools: $(FUZZ)/.ready
$(FUZZ)/.ready: share/packages | $(DEPS_DONE)
	@mkdir -p $(FUZZ)/bin
	@CC=$(FUZZ_CC) mk/setup/install-deps.sh fuzz
	@touch $@

ifndef COMPILE
fuzz-programs: | $(DEPS_DONE)
	+@$(call in_parallel,$@)

fuzz: ## feed malformed input to every parser, FUZZ_SECONDS (1800) in all; ends with a table
fuzz: fuzz-programs
	@tests/fuzz/run --seconds $(FUZZ_SECONDS) --minimise $(FUZZ_TARGETS) page

faults-input: ## fail each memory allocation and each write of every filter; ends with a table
faults-input: programs
	@tests/faults-input

# In a short run -O1 would take longer to compile than it saves.
fuzz-short: | $(DEPS_DONE)
	+@$(call in_parallel,FUZZ_OPTIMISE=-O0 fuzz-programs)
	@tests/fuzz/run --seconds 15 --seed 1 $(FUZZ_TARGETS) page

# The smallest set of inputs that covers what long runs found, for the repository.
fuzz-corpus: fuzz-programs
	@tests/fuzz/run --seconds 0 --minimise --keep $(FUZZ_TARGETS)
else
FUZZ_OPTIMISE := -O1
FUZZ_CFLAGS := -std=c11 $(FUZZ_OPTIMISE) -g -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_COMPILE = $(Q)$(FUZZ_CC) $(NB_CPPFLAGS) -MMD -MP -c -o $@ $<
# Exits of the library are intercepted.
FUZZ_LIB_CFLAGS := $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -Dexit=fuzz_exit

FUZZ_LIB := $(FUZZ)/obj/libnbscope.a

FUZZ_FLAGS_FILE := $(FUZZ)/flags
$(eval $(call note_flags,$(FUZZ_FLAGS_FILE),FUZZ_CFLAGS))

$(FUZZ)/obj/tools/%.o: tools/%.c $(FUZZ_FLAGS_FILE) $(FUZZ)/.ready | $(EMBEDDED)
	@mkdir -p $(@D)
	$(FUZZ_COMPILE) $(group_rooms) $(FUZZ_LIB_CFLAGS) \
		$(if $(filter $<,$(MAINS)),-Dmain=$(basename $(<F))_main)

$(FUZZ)/obj/%.o: tests/fuzz/%.c $(FUZZ_FLAGS_FILE) $(FUZZ)/.ready
	@mkdir -p $(@D)
	$(FUZZ_COMPILE) -Itools/run/lib $(FUZZ_CFLAGS) -Wall -Wextra $(FUZZ_DEFINE_$*)
FUZZ_DEFINE_filters = '-DFILTERS(X)=$(foreach f,$(FUZZ_FILTERS),X($(f)))'

FUZZ_MODULES := $(filter-out $(MAINS),$(wildcard tools/*/*.c tools/*/*/*.c tools/*/lib/*/*.c))
$(FUZZ_LIB): $(patsubst tools/%.c,$(FUZZ)/obj/tools/%.o,$(FUZZ_MODULES))
	$(Q)rm -f $@ && $(AR) rcs $@ $^

FUZZ_LINK = $(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(FUZZ_WRAP_$(@F)) \
	$(FUZZ_LIB) $(LIBS) -lpthread
FUZZ_WRAP_dotenv := -Wl,--wrap=setenv
FUZZ_WRAP_http := -Wl,--wrap=clock_monotonic_ns,--wrap=clock_pause_ms

$(FUZZ)/bin/%: $(FUZZ)/obj/%.o $(FUZZ)/obj/fuzz.o $(FUZZ_LIB)
	$(Q)$(FUZZ_LINK)
FUZZ_FILTER_MAINS = $(foreach p,$(FUZZ_FILTERS),$(filter %/$(p).c,$(MAINS)))
$(FUZZ)/bin/filters: $(patsubst tools/%.c,$(FUZZ)/obj/tools/%.o,$(FUZZ_FILTER_MAINS)) \
		$(FUZZ)/obj/filters.o $(FUZZ)/obj/fuzz.o $(FUZZ_LIB)
	$(Q)$(FUZZ_LINK)

.PRECIOUS: $(FUZZ)/obj/%.o
-include $(wildcard $(addprefix $(FUZZ)/obj/,*.d tools/*/*.d tools/*/*/*.d tools/*/lib/*/*.d))

fuzz-programs: $(patsubst %,$(FUZZ)/bin/%,$(FUZZ_READERS) filters)
endif
