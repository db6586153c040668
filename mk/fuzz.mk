# Fuzzing of all that reads bytes, under the address and undefined-behaviour
# sanitizers, with clang's libFuzzer (and node, where there is one, for the page's
# script). No user needs clang.
# In:  tests/fuzz/, tools/
# Out: build/fuzz/{bin,corpus,findings}; a table

FUZZ_SECONDS ?= 1800
FUZZ := build/fuzz
FUZZ_CC := clang
# A short run is over before -O1 has paid for its compiling.
FUZZ_OPTIMISE := -O1
FUZZ_CFLAGS := -std=c11 $(FUZZ_OPTIMISE) -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
# The library's exits are caught; what writes pictures by librsvg stays outside.
FUZZ_LIB_CFLAGS := $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -Dexit=fuzz_exit

# What reads bytes by a function is called in one process; filters are run whole.
FUZZ_READERS := record yaml notebook dotenv reqhead csv http $(if $(wildcard tools/lib/table.h),table)
FUZZ_FILTERS = $(filter-out labserve netshape wdsession runlock cellrun vizwait,$(PROGRAMS))
FUZZ_LIBS = $(sort $(foreach p,$(PROGRAMS),$(filter-out -lrsvg%,$(filter -lyaml -lmd -lcurl -lopen%,$(LIBS_$(p))))))
FUZZ_LIB := $(FUZZ)/obj/libnbscope.a

FUZZ_FLAGS_FILE := $(FUZZ)/flags
$(eval $(call note_flags,$(FUZZ_FLAGS_FILE),FUZZ_CFLAGS))

.PHONY: fuzz-tools
FUZZ_READY := $(FUZZ)/.ready
fuzz-tools: $(FUZZ_READY)
$(FUZZ_READY): mk/fuzz.mk | $(DEPS_DONE)
	@mkdir -p $(FUZZ)/bin
	@sh mk/install-deps clang=clang '?strace=strace' '?node=nodejs'
	@CC=$(FUZZ_CC) sh mk/install-deps "<sanitizer/asan_interface.h>=libclang-rt-$$($(FUZZ_CC) -dumpversion | cut -d. -f1)-dev"
	@touch $@

$(FUZZ)/obj/lib/%.o: tools/lib/%.c $(FUZZ_FLAGS_FILE) $(FUZZ_READY)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(NB_CPPFLAGS) $(FUZZ_LIB_CFLAGS) -MMD -MP -c -o $@ $<

$(FUZZ)/obj/lib/guard.o: $(GUARD_SO)

$(FUZZ)/obj/tools/%.o: tools/%.c $(FUZZ_FLAGS_FILE) $(FUZZ_READY)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(NB_CPPFLAGS) $(FUZZ_LIB_CFLAGS) -Dmain=$*_main -MMD -MP -c -o $@ $<

$(FUZZ)/obj/%.o: tests/fuzz/%.c $(FUZZ_FLAGS_FILE) $(FUZZ_READY)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(NB_CPPFLAGS) $(FUZZ_CFLAGS) -Wall -Wextra $(FUZZ_DEFINE_$*) -MMD -MP -c -o $@ $<
FUZZ_DEFINE_filters = '-DFILTERS(X)=$(foreach f,$(FUZZ_FILTERS),X($(f)))'

$(FUZZ_LIB): $(patsubst tools/lib/%.c,$(FUZZ)/obj/lib/%.o,$(wildcard tools/lib/*.c))
	$(Q)rm -f $@ && $(AR) rcs $@ $^

FUZZ_LINK = $(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(FUZZ_WRAP_$(@F)) $(FUZZ_LIB) $(FUZZ_LIBS) -ljansson -lm -lpthread
FUZZ_WRAP_dotenv := -Wl,--wrap=setenv
FUZZ_WRAP_http := -Wl,--wrap=now_ns,--wrap=pause_ms

$(FUZZ)/bin/%: $(FUZZ)/obj/%.o $(FUZZ)/obj/fuzz.o $(FUZZ_LIB)
	$(Q)$(FUZZ_LINK)
$(FUZZ)/bin/filters: $(FUZZ)/obj/filters.o $(FUZZ)/obj/fuzz.o $(patsubst %,$(FUZZ)/obj/tools/%.o,$(FUZZ_FILTERS)) $(FUZZ_LIB)
	$(Q)$(FUZZ_LINK)

.PRECIOUS: $(FUZZ)/obj/%.o $(FUZZ)/obj/lib/%.o $(FUZZ)/obj/tools/%.o
-include $(wildcard $(FUZZ)/obj/*.d $(FUZZ)/obj/*/*.d)

.PHONY: fuzz fuzz-short fuzz-programs fuzz-corpus faults-input
fuzz-programs: $(patsubst %,$(FUZZ)/bin/%,$(FUZZ_READERS) filters)

fuzz: fuzz-programs ## malformed input of every kind for FUZZ_SECONDS (1800) in all, and a table of it
	@tests/fuzz/run --seconds $(FUZZ_SECONDS) --minimise $(addprefix filter-,$(FUZZ_FILTERS)) $(FUZZ_READERS) page

faults-input: programs ## memory and disk that run out at every point of every filter, and a table of it
	@tests/faults-input

fuzz-short:
	+@$(MAKE) FUZZ_OPTIMISE=-O0 fuzz-programs
	@tests/fuzz/run --seconds 15 --seed 1 $(addprefix filter-,$(FUZZ_FILTERS)) $(FUZZ_READERS) page

# What the long runs found, as few inputs as cover it, for the repository.
fuzz-corpus: fuzz-programs
	@tests/fuzz/run --seconds 0 --minimise --keep $(addprefix filter-,$(FUZZ_FILTERS)) $(FUZZ_READERS)
