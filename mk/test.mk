# Tests: bats files, all of them, the browser's too.
# In:  tests/*.bats, tests/requirements.txt
# Out: a line for each test; the count at the end

TESTS ?= $(wildcard tests/*.bats)

# What tests read results with, and no user needs.
TESTVENV_DONE := build/testvenv/.done
$(TESTVENV_DONE): tests/requirements.txt | $(DEPS_DONE)
	@rm -rf build/testvenv && python3 -m venv build/testvenv
	@build/testvenv/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

.PHONY: test bench
test: programs $(TESTVENV_DONE) ## all tests, on a real JupyterLab in a real browser
	+@tests/run '$(MAKE) --no-print-directory setup' $(TESTS)

bench: setup ## measurements beside other tools, as ratios in one run
	@for b in tests/bench/*; do [ -x "$$b" ] && [ -f "$$b" ] || continue; echo "== $$b"; PATH="$(CURDIR)/$(BIN):$$PATH" "$$b" || exit; done
