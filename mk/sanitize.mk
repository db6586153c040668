# The tests with programs that look at themselves: built with the address and the
# undefined-behaviour sanitizers, or run under valgrind. TESTS selects.
# In:  tests/*.bats, tools/
# Out: build/asan/, build/valgrind/; a line for each test; what was seen, in logs/

# Limits on memory are lifted (both keep far more than the program does), and so
# are leaks: what a program holds until its end it may leave to the system.
ASAN := build/asan
ASAN_FLAGS := -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
ASAN_ENV = NBSCOPE_BUILD=$(ASAN) NBSCOPE_ULIMIT=: NBSCOPE_VENV=$(CURDIR)/build/venv CFLAGS='$(ASAN_FLAGS)' LDFLAGS='-fsanitize=address,undefined' \
	ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0:exitcode=99:log_path=$(CURDIR)/$(ASAN)/logs/asan \
	UBSAN_OPTIONS=print_stacktrace=1:log_path=$(CURDIR)/$(ASAN)/logs/ubsan

# Not judged, but run for what is seen in them: what measures times or memory, and
# finds programs by their names, which are valgrind's own there.
ASAN_UNJUDGED := noop
VALGRIND_UNJUDGED := cellend energy faults-make faults-run fuzz input listen netshape noop procsample truth

# $(call look,ENVIRONMENT,NOT JUDGED,BUILD)
look = judged='$(filter-out $(2:%=tests/%.bats),$(TESTS))' unjudged='$(filter $(2:%=tests/%.bats),$(TESTS))' s=0; \
	[ -z "$$judged" ] || $1 tests/run true $$judged || s=$$?; \
	[ -z "$$unjudged" ] || { echo "not judged, but for what is seen: $$unjudged"; $1 bats $$unjudged; }; \
	tests/seen $3/logs && exit $$s

.PHONY: test-asan test-valgrind
test-asan: setup $(TESTVENV_DONE) ## all tests, the programs built with address and undefined-behaviour sanitizers
	@rm -rf $(ASAN)/logs && mkdir -p $(ASAN)/logs
	@$(ASAN_ENV) $(MAKE) programs
	@$(call look,$(ASAN_ENV),$(ASAN_UNJUDGED),$(ASAN))

# A wrapper for each program: what it starts itself runs as ever.
VALGRIND := build/valgrind
VALGRIND_WORDS = $$(command -v valgrind) -q --vgdb=no --error-exitcode=99 --log-file=$(CURDIR)/$(VALGRIND)/logs/%p
VALGRIND_ENV = NBSCOPE_BUILD=$(VALGRIND) NBSCOPE_ULIMIT=: NBSCOPE_VENV=$(CURDIR)/build/venv
test-valgrind: setup programs $(TESTVENV_DONE) ## all tests, each program under valgrind (some hours)
	@sh mk/install-deps valgrind=valgrind
	@rm -rf $(VALGRIND) && mkdir -p $(VALGRIND)/bin $(VALGRIND)/logs
	@for p in $(PROGRAMS); do \
		printf '#!/bin/bash\nexec %s "%s" "$$@"\n' "$(VALGRIND_WORDS)" "$(CURDIR)/$(BIN)/$$p" >$(VALGRIND)/bin/$$p && chmod +x $(VALGRIND)/bin/$$p || exit; \
	done
	@ln -s ../obj $(VALGRIND)/obj
	@$(call look,$(VALGRIND_ENV),$(VALGRIND_UNJUDGED),$(VALGRIND))
