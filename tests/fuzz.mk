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
ifneq ($(BUILD),$(FUZZ))
fuzz-tools: $(FUZZ)/.ready
$(FUZZ)/.ready: share/packages | $(DEPS_DONE)
	@mkdir -p $(@D)
	@CC=clang mk/setup/install-deps.sh fuzz
	@touch $@

# In a short run -O1 would take longer to compile than it saves.
FUZZ_FLAGS = $(if $(filter fuzz-short,$(MAKECMDGOALS)),-O0,-O1) -w -fno-omit-frame-pointer \
	-U_FORTIFY_SOURCE -fsanitize=address,undefined -fno-sanitize-recover=undefined
# The exits of what is tested are intercepted.
fuzz-programs: $(FUZZ)/.ready
	+@$(call in_parallel,$@ NBSCOPE_BUILD=$(FUZZ) CC=clang CFLAGS='$(FUZZ_FLAGS)' \
		CPPFLAGS='-fsanitize=fuzzer-no-link -Dexit=fuzz_exit')

fuzz: ## feed malformed input to every parser, FUZZ_SECONDS (1800) in all; ends with a table
fuzz: fuzz-programs
	@tests/fuzz/run --seconds $(FUZZ_SECONDS) --minimise $(FUZZ_TARGETS) page

fuzz-short: fuzz-programs
	@tests/fuzz/run --seconds 15 --seed 1 $(FUZZ_TARGETS) page

# The smallest set of inputs that covers what long runs found, for the repository.
fuzz-corpus: fuzz-programs
	@tests/fuzz/run --seconds 0 --minimise --keep $(FUZZ_TARGETS)

faults-input: ## fail each memory allocation and each write of every filter; ends with a table
faults-input: programs
	@tests/faults-input
else
$(call objects_of,$(MAINS)): override CPPFLAGS += -Dmain=$(basename $(<F))_main
FUZZ_LIB := $(OBJ)all.a
$(FUZZ_LIB): $(filter-out $(call objects_of,$(MAINS)),$(call \
	objects_of,tools/*/*.c tools/*/*/*.c tools/*/lib/*/*.c))

.PRECIOUS: $(OBJ)fuzz/%.o
$(OBJ)fuzz/%.o: tests/fuzz/%.c $(FLAGS_FILE) | $(EMBEDDED)
	@mkdir -p $(@D)
	$(Q)$(CC) $(NB_CPPFLAGS) -Itools/run/lib -g $(CFLAGS) -MMD -MP -c -o $@ $< $(FUZZ_DEFINE_$*)
FUZZ_DEFINE_filters = '-DFILTERS(X)=$(foreach f,$(FUZZ_FILTERS),X($(f)))'

FUZZ_WRAP_dotenv := -Wl,--wrap=setenv
FUZZ_WRAP_http := -Wl,--wrap=clock_monotonic_ns,--wrap=clock_pause_ms
FUZZ_LINK = $(Q)mkdir -p $(@D) && $(LINK) -fsanitize=fuzzer -o $@ $(filter %.o,$^) \
	$(FUZZ_WRAP_$(@F)) $(FUZZ_LIB) $(LIBS) -lpthread
$(FUZZ)/bin/%: $(OBJ)fuzz/%.o $(OBJ)fuzz/fuzz.o $(FUZZ_LIB)
	$(FUZZ_LINK)
$(FUZZ)/bin/filters: $(call objects_of,$(foreach p,$(FUZZ_FILTERS),$(filter \
		%/$(p).c,$(MAINS)))) $(OBJ)fuzz/filters.o $(OBJ)fuzz/fuzz.o $(FUZZ_LIB)
	$(FUZZ_LINK)

fuzz-programs: $(addprefix $(FUZZ)/bin/,$(FUZZ_READERS) filters)
endif
