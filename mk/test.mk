# Tests: all bats files, those with a browser too.
# In:  tests/*.bats, tests/requirements.txt
# Out: a line for each test; the count at the end; build/testvenv, build/testdebs, build/testslurm, build/ipykernel6, build/testlab, build/hub, build/container

TESTS ?= $(wildcard tests/*.bats)
export ALL ?=

# Python packages that only tests need.
TESTVENV_DONE := build/testvenv/.done
$(TESTVENV_DONE): tests/requirements.txt | $(DEPS_DONE)
	@sh mk/setup/make-venv.sh build/testvenv $<
	@touch $@

# The previous major version of the kernel, which has no parent of its own for each context.
IPYKERNEL6_DONE := build/ipykernel6/.done
$(IPYKERNEL6_DONE): $(TESTVENV_DONE)
	@rm -rf $(@D)
	@build/testvenv/bin/pip install --quiet --disable-pip-version-check --no-deps --target $(@D) ipykernel==6.31.0
	@touch $@

# JupyterLab and what most tests need of it, without the extensions that jdaviz's packages bring,
# which each page loads: links into the environment that users get. The extension of ipywidgets, whose
# package.json is a copy, turns off what is in plugins-off.
TESTLAB_DONE := build/testlab/.done
OFF_IN := share/jupyter/labextensions/@jupyter-widgets/jupyterlab-manager/package.json
$(TESTLAB_DONE): tests/linkenv.py tests/plugins-off $(VENV_DONE)
	@rm -rf $(@D)
	@$(PYTHON) $< $(@D) jupyterlab ipywidgets matplotlib pandas
	@sed '/^#/d' tests/plugins-off | jq -Rn --slurpfile p $(@D)/$(OFF_IN) \
		'[inputs] as $$off | $$p[0] | .jupyterlab.disabledExtensions = $$off' >$(@D)/$(OFF_IN).new
	@mv $(@D)/$(OFF_IN).new $(@D)/$(OFF_IN)
	@touch $@

# Programs that check our output, unpacked and not installed: installing the package of a
# server would start it. Without them the tests that need them are skipped.
TESTDEBS_DONE := build/testdebs/.done
# $(call unpack,PACKAGES,WHAT): the packages and what they need and is not installed.
define unpack
	@rm -rf $(@D) && mkdir -p $(@D)
	@cd $(@D) && { { printf '%s\n' $(1); apt-get -s install --no-install-recommends $(1) | sed -n 's/^Inst \([^ ]*\).*/\1/p'; } | sort -u | xargs apt-get -qq download && for d in *.deb; do dpkg-deb -x "$$d" . || exit; done; } >log 2>&1 || \
		echo "test: no $(2) from apt ($(@D)/log says why): its tests are skipped"
	@rm -f $(@D)/*.deb
	@touch $@
endef
$(TESTDEBS_DONE): | $(DEPS_DONE)
	$(call unpack,prometheus prometheus-pushgateway prometheus-node-exporter libxml2-utils,Prometheus)

# A cluster: tests/slurm.bash.
TESTSLURM_DONE := build/testslurm/.done
$(TESTSLURM_DONE): | $(DEPS_DONE)
	$(call unpack,slurmctld slurmd slurm-client munge,Slurm)

# A real JupyterHub and its proxy, whose programs come from npm. Only test-hub makes it.
HUB_DONE := build/hub/.done
HUB_PROXY := configurable-http-proxy@5.3.0
$(HUB_DONE): tests/hub-requirements.txt share/lab/requirements.txt | $(DEPS_DONE)
	@sh mk/setup/install-deps.sh npm=npm node=nodejs
	@sh mk/setup/make-venv.sh $(@D) $<
	@npm install --silent --no-audit --no-fund --prefix $(@D) $(HUB_PROXY) && ln -sf ../node_modules/.bin/configurable-http-proxy $(@D)/bin
	@touch $@

# The container's root file system, made as root by debootstrap. Only test-container makes it; then
# its programs are those of this tree.
CONTAINER_DONE := build/container/.done
$(CONTAINER_DONE): $(BUILT) mk/setup/make-container.sh mk/setup/run-in-container.sh share/container/provision share/container/enter share/lab/requirements.txt
	@sh mk/setup/install-deps.sh debootstrap=debootstrap
	@mk/setup/make-container.sh $(@D)/root
	@touch $@

# A real Selenium Grid, from Maven Central. Only test-grid and faults make it.
GRID_DONE := build/grid/.done
$(GRID_DONE): tests/grid.xml | $(DEPS_DONE)
	@sh mk/setup/install-deps.sh java=default-jre-headless mvn=maven
	@mvn -q -B -f $< dependency:copy-dependencies -DoutputDirectory=$(CURDIR)/$(@D) >build/grid.log 2>&1 || { tail -n 5 build/grid.log >&2; exit 1; }
	@touch $@

# Firefox's driver, where there is a Firefox and a compiler for the driver.
.PHONY: test-driver
test-driver: $(DEPS_DONE)
	@for program in firefox cargo; do command -v $$program >/dev/null || exit 0; done; \
		command -v geckodriver >/dev/null || $(MAKE) $(GECKODRIVER) || \
		echo "test: no geckodriver (build/geckodriver/log says why): its tests are skipped"

.PHONY: test bench prepare-test test-hub test-container test-grid
prepare-test: programs $(TESTVENV_DONE) $(TESTDEBS_DONE) $(TESTSLURM_DONE) $(FIGURE_DONE) $(if $(ALL),$(IPYKERNEL6_DONE))

test: $(DEPS_DONE) ## all tests, on a real JupyterLab in a real browser
	+@$(MAKE) -j$$(nproc) prepare-test
	+@tests/run '$(MAKE) --no-print-directory setup $(TESTLAB_DONE)' '$(MAKE) --no-print-directory test-driver' $(TESTS)

test-hub: setup $(TESTLAB_DONE) $(HUB_DONE) ## the tests that need a JupyterHub, which is installed in build/hub
	@bats -f 'hub|JupyterHub' tests/hub.bats tests/labserve.bats

test-container: setup $(CONTAINER_DONE) ## as root: the tests in the container, whose root file system is made in build/container
	@bats tests/container.bats

test-grid: setup $(TESTLAB_DONE) $(GRID_DONE) ## the tests of browsers elsewhere, with a Selenium Grid, which is fetched into build/grid
	@bats tests/grid.bats

bench: setup ## compare nbscope's own cost with that of other tools, within one run
	@for b in tests/bench/*; do [ -x "$$b" ] && [ -f "$$b" ] || continue; echo "== $$b"; PATH="$(CURDIR)/$(BIN):$$PATH" "$$b" || exit; done
