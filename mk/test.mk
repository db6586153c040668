# Tests: bats files, all of them, the browser's too.
# In:  tests/*.bats
# Out: a line for each test; the count at the end

TESTS ?= $(wildcard tests/*.bats)

.PHONY: test bench
test: setup ## all tests, on a real JupyterLab in a real browser
	@tests/run $(TESTS)

bench: setup ## measurements beside other tools, as ratios in one run
	@for b in tests/bench/*; do [ -x "$$b" ] && [ -f "$$b" ] || continue; echo "== $$b"; PATH="$(CURDIR)/$(BIN):$$PATH" "$$b" || exit; done
