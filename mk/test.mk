# Tests: all bats files, those with a browser too.
# In:  tests/*.bats, tests/requirements.txt
# Out: a line for each test; the count at the end; build/testvenv, build/testdebs, build/ipykernel6, build/testlab

TESTS ?= $(wildcard tests/*.bats)

# Python packages that only tests need.
TESTVENV_DONE := build/testvenv/.done
$(TESTVENV_DONE): tests/requirements.txt | $(DEPS_DONE)
	@sh mk/make-venv build/testvenv $<
	@touch $@

# The previous major version of the kernel, which has no parent of its own for each context.
IPYKERNEL6_DONE := build/ipykernel6/.done
$(IPYKERNEL6_DONE): $(TESTVENV_DONE)
	@rm -rf $(@D)
	@build/testvenv/bin/pip install --quiet --disable-pip-version-check --no-deps --target $(@D) ipykernel==6.31.0
	@touch $@

# JupyterLab and what most tests need of it, without the extensions that jdaviz's packages bring,
# which each page loads: links into the environment that users get.
TESTLAB_DONE := build/testlab/.done
$(TESTLAB_DONE): tests/linkenv.py $(VENV_DONE)
	@rm -rf $(@D)
	@$(PYTHON) $< $(@D) jupyterlab ipywidgets matplotlib pandas
	@touch $@

# Programs that check our output, unpacked and not installed: installing the package of a
# server would start it. Without them the tests that need them are skipped.
TESTDEBS_DONE := build/testdebs/.done
$(TESTDEBS_DONE): | $(DEPS_DONE)
	@rm -rf $(@D) && mkdir -p $(@D)
	@cd $(@D) && { apt-get -qq download prometheus prometheus-pushgateway prometheus-node-exporter libxml2-utils && for d in *.deb; do dpkg-deb -x "$$d" . || exit; done; } >log 2>&1 || \
		echo "test: no Prometheus from apt (build/testdebs/log says why): its tests are skipped"
	@rm -f $(@D)/*.deb
	@touch $@

# Firefox's driver, where there is a Firefox and a compiler for the driver.
.PHONY: test-driver
test-driver: $(DEPS_DONE)
	@for program in firefox cargo; do command -v $$program >/dev/null || exit 0; done; \
		command -v geckodriver >/dev/null || $(MAKE) $(GECKODRIVER) || \
		echo "test: no geckodriver (build/geckodriver/log says why): its tests are skipped"

.PHONY: test bench prepare-test
prepare-test: programs $(TESTVENV_DONE) $(TESTDEBS_DONE) $(FIGURE_DONE) $(IPYKERNEL6_DONE)

test: $(DEPS_DONE) ## all tests, on a real JupyterLab in a real browser
	+@$(MAKE) -j$$(nproc) prepare-test
	+@tests/run '$(MAKE) --no-print-directory setup $(TESTLAB_DONE) test-driver' $(TESTS)

bench: setup ## compare nbscope's own cost with that of other tools, within one run
	@for b in tests/bench/*; do [ -x "$$b" ] && [ -f "$$b" ] || continue; echo "== $$b"; PATH="$(CURDIR)/$(BIN):$$PATH" "$$b" || exit; done
