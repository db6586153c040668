# The tests with instrumented programs: built with the address and undefined-behaviour
# sanitizers, or run under valgrind. TESTS selects.
# In:  tests/*.bats, tools/
# Out: build/asan/, build/valgrind/; a line for each test; findings in logs/

# Programs look for these next to their own folder, which is another one here.
ENVIRONMENTS = NBSCOPE_VENV=$(CURDIR)/build/venv NBSCOPE_FIGURE_VENV=$(CURDIR)/build/figure-venv

# Memory limits are lifted (both tools need far more than the program). Leaks are not
# reported: a program may leave to the system what it holds until its end.
ASAN := build/asan
ASAN_FLAGS := -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer
LOGS = log_path=$(CURDIR)/$(ASAN)/logs
ASAN_ENV = NBSCOPE_BUILD=$(ASAN) NBSCOPE_ULIMIT=: $(ENVIRONMENTS) \
	CFLAGS='$(ASAN_FLAGS)' LDFLAGS='-fsanitize=address,undefined' \
	ASAN_OPTIONS="detect_leaks=0:verify_asan_link_order=0:exitcode=99:$(LOGS)/asan" \
	UBSAN_OPTIONS="print_stacktrace=1:$(LOGS)/ubsan"

.PHONY: test-asan test-valgrind
test-asan: ## all tests, the programs built with address and undefined-behaviour sanitizers
# Without noop.bats: it times make, and runs no program that the others do not run.
test-asan: setup $(TESTVENV_DONE)
	@rm -rf $(ASAN)/logs && mkdir -p $(ASAN)/logs
	@$(ASAN_ENV) $(MAKE) programs
	@$(ASAN_ENV) tests/run true true $(filter-out tests/noop.bats,$(TESTS)); s=$$?; \
		tests/seen $(ASAN)/logs && exit $$s

# A wrapper for each program; the processes that it starts run without valgrind. Valgrind's
# findings count, not the tests' results: it slows programs down up to a hundredfold, runs them
# under its own name, has no pidfd, and computes long doubles in 64 bits. Debian's valgrind is a
# shell script that loses exported functions, so valgrind.bin is run.
VALGRIND := build/valgrind
VALGRIND_WORDS = $$(command -v valgrind.bin || command -v valgrind) -q --vgdb=no \
	--error-exitcode=99 --log-file=$(CURDIR)/$(VALGRIND)/logs/%p
test-valgrind: ## all tests, each program under valgrind (some hours)
test-valgrind: setup programs $(TESTVENV_DONE)
	@mk/setup/install-deps.sh valgrind
	@rm -rf $(VALGRIND) && mkdir -p $(VALGRIND)/bin $(VALGRIND)/logs
	@for p in $(PROGRAMS); do \
		printf '#!/bin/bash\nexec %s "%s" "$$@"\n' "$(VALGRIND_WORDS)" \
			"$(CURDIR)/$(BIN)/$$p" >$(VALGRIND)/bin/$$p || exit; \
	done
	@chmod +x $(VALGRIND)/bin/*
	@ln -s ../obj ../schema $(VALGRIND)
	-@ONCE=1 NBSCOPE_BUILD=$(VALGRIND) NBSCOPE_ULIMIT=: $(ENVIRONMENTS) \
		tests/run true true $(TESTS)
	@tests/seen $(VALGRIND)/logs
