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

.PHONY: test-asan test-valgrind
# Not noop: it measures make, and runs no other program than the rest.
test-asan: setup $(TESTVENV_DONE) ## all tests, the programs built with address and undefined-behaviour sanitizers
	@rm -rf $(ASAN)/logs && mkdir -p $(ASAN)/logs
	@$(ASAN_ENV) $(MAKE) programs
	@$(ASAN_ENV) tests/run true $(filter-out tests/noop.bats,$(TESTS)); s=$$?; tests/seen $(ASAN)/logs && exit $$s

# A wrapper for each program: what it starts itself runs as ever. What valgrind sees is
# judged, not what passes: it slows the programs up to a hundredfold, calls them by its own
# name, has no pidfd, and counts long doubles in 64 bits. Its own wrapper in Debian is a
# shell's that loses the functions that tests hand on.
VALGRIND := build/valgrind
VALGRIND_WORDS = $$(command -v valgrind.bin || command -v valgrind) -q --vgdb=no --error-exitcode=99 --log-file=$(CURDIR)/$(VALGRIND)/logs/%p
test-valgrind: setup programs $(TESTVENV_DONE) ## all tests, each program under valgrind; what that sees is judged (some hours)
	@sh mk/install-deps valgrind=valgrind
	@rm -rf $(VALGRIND) && mkdir -p $(VALGRIND)/bin $(VALGRIND)/logs
	@for p in $(PROGRAMS); do \
		printf '#!/bin/bash\nexec %s "%s" "$$@"\n' "$(VALGRIND_WORDS)" "$(CURDIR)/$(BIN)/$$p" >$(VALGRIND)/bin/$$p && chmod +x $(VALGRIND)/bin/$$p || exit; \
	done
	@ln -s ../obj $(VALGRIND)/obj
	-@ONCE=1 NBSCOPE_BUILD=$(VALGRIND) NBSCOPE_ULIMIT=: NBSCOPE_VENV=$(CURDIR)/build/venv tests/run true $(TESTS)
	@tests/seen $(VALGRIND)/logs
