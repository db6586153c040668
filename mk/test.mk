# Tests: all bats files, those with a browser too; and real faults, one by one and at random.
# In:  tests/*.bats, tests/requirements.txt; SOAK (notebooks), SEED
# Out: a line for each test; the count at the end; of faults: a table of the faults, how often, what
#      was lost and what was left behind; build/testvenv and other folders of build/

TESTS ?= $(wildcard tests/*.bats)
export ALL ?=
TESTVENV_DONE := build/testvenv/.done

# The previous major version of the kernel, which has no parent of its own for each context.
IPYKERNEL6_DONE := build/ipykernel6/.done
$(IPYKERNEL6_DONE): $(TESTVENV_DONE)
	@rm -rf $(@D)
	@build/testvenv/bin/pip install --quiet --disable-pip-version-check --no-deps \
		--target $(@D) ipykernel==6.31.0
	@touch $@

# JupyterLab and what most tests need of it, without the extensions that jdaviz's packages bring,
# which each page loads: links into the environment that users get. The extension of ipywidgets,
# whose package.json is a copy, turns off what is in plugins-off.
TESTLAB_DONE := build/testlab/.done
OFF_IN := share/jupyter/labextensions/@jupyter-widgets/jupyterlab-manager/package.json
$(TESTLAB_DONE): tests/linkenv.py tests/plugins-off $(VENV_DONE)
	@rm -rf $(@D)
	@$(PYTHON) $< $(@D) jupyterlab ipywidgets matplotlib pandas
	@sed '/^#/d' tests/plugins-off | jq -Rn --slurpfile p $(@D)/$(OFF_IN) \
		'[inputs] as $$off | $$p[0] | .jupyterlab.disabledExtensions = $$off' \
		>$(@D)/$(OFF_IN).new
	@mv $(@D)/$(OFF_IN).new $(@D)/$(OFF_IN)
	@touch $@

# Programs that check our output, unpacked and not installed: installing the package of a
# server would start it. Without them the tests that need them are skipped.
TESTDEBS_DONE := build/testdebs/.done
TESTSLURM_DONE := build/testslurm/.done
# $(call unpack,PACKAGES,WHAT): the packages and what they need and is not installed.
define unpack
	@rm -rf $(@D) && mkdir -p $(@D)
	@cd $(@D) && { { printf '%s\n' $(1); apt-get -s install --no-install-recommends $(1) | \
		sed -n 's/^Inst \([^ ]*\).*/\1/p'; } | sort -u | xargs apt-get -qq download && \
		for d in *.deb; do dpkg-deb -x "$$d" . || exit; done; } >log 2>&1 || \
		echo "test: no $(2) from apt ($(@D)/log says why): its tests are skipped"
	@rm -f $(@D)/*.deb
	@touch $@
endef
$(TESTDEBS_DONE): | $(DEPS_DONE)
	$(call unpack,prometheus prometheus-pushgateway prometheus-node-exporter \
		libxml2-utils,Prometheus)

# A cluster: tests/slurm.bash.
$(TESTSLURM_DONE): | $(DEPS_DONE)
	$(call unpack,slurmctld slurmd slurm-client munge,Slurm)

# A real JupyterHub and its proxy, whose programs come from npm. Only test-hub makes it.
HUB_DONE := build/hub/.done
$(HUB_DONE): tests/hub-requirements.txt share/lab/requirements.txt | $(DEPS_DONE)
	@sh mk/setup/install-deps.sh npm=npm node=nodejs
	@mk/setup/make-venv.sh $(@D) $<
	@npm install --silent --no-audit --no-fund --prefix $(@D) configurable-http-proxy@5.3.0
	@ln -sf ../node_modules/.bin/configurable-http-proxy $(@D)/bin

# The container's root file system, made as root by debootstrap. Only test-container makes it; then
# its programs are those of this tree.
CONTAINER_DONE := build/container/.done
$(CONTAINER_DONE): $(BUILT) share/container/make-root share/container/run \
		share/container/provision share/container/enter share/lab/requirements.txt
	@sh mk/setup/install-deps.sh debootstrap=debootstrap
	@share/container/make-root $(@D)/root
	@touch $@

# A real Selenium Grid, from Maven Central. Only test-grid and faults make it.
GRID_DONE := build/grid/.done
$(GRID_DONE): tests/grid.xml | $(DEPS_DONE)
	@sh mk/setup/install-deps.sh java=default-jre-headless mvn=maven
	@mvn -q -B -f $< dependency:copy-dependencies -DoutputDirectory=$(CURDIR)/$(@D) \
		>build/grid.log 2>&1 || { tail -n 5 build/grid.log >&2; exit 1; }
	@touch $@

# Firefox's driver, where there is a Firefox and a compiler for the driver.
.PHONY: test-driver
test-driver: $(DEPS_DONE)
	@for program in firefox cargo; do command -v $$program >/dev/null || exit 0; done; \
		command -v geckodriver >/dev/null || $(MAKE) $(GECKODRIVER) || \
		echo "test: no geckodriver (build/geckodriver/log says why): its tests are skipped"

.PHONY: test bench prepare-test test-hub test-container test-grid faults soak
prepare-test: ## install what tests need in addition to setup: then "bats tests/x.bats" works
prepare-test: programs $(TESTVENV_DONE) $(TESTDEBS_DONE) $(TESTSLURM_DONE) $(FIGURE_DONE) \
	$(if $(ALL),$(IPYKERNEL6_DONE))

test: $(DEPS_DONE) ## all tests, on a real JupyterLab in a real browser
	+@$(MAKE) -j$$(nproc) prepare-test
	+@tests/run '$(MAKE) --no-print-directory setup $(TESTLAB_DONE)' \
		'$(MAKE) --no-print-directory test-driver' $(TESTS)

test-hub: ## the tests that need a JupyterHub, which is installed in build/hub
test-hub: setup $(TESTLAB_DONE) $(HUB_DONE)
	@bats -f 'hub|JupyterHub' tests/hub.bats tests/labserve.bats

test-container: ## as root: the tests in the container, whose root file system is in build/container
test-container: setup $(CONTAINER_DONE)
	@bats tests/container.bats

test-grid: ## the tests of browsers elsewhere, with a Selenium Grid, fetched into build/grid
test-grid: setup $(TESTLAB_DONE) $(GRID_DONE)
	@bats tests/grid.bats

bench: setup ## compare nbscope's own cost with that of other tools, within one run
	@for b in tests/bench/*; do [ -x "$$b" ] && [ -f "$$b" ] || continue; \
		echo "== $$b"; PATH="$(CURDIR)/$(BIN):$$PATH" "$$b" || exit; done

faults: ## inject every fault; report what was lost and what was left behind (most of an hour)
faults: setup $(TESTVENV_DONE) $(GRID_DONE)
	@tests/faults $(wildcard tests/faults-*.bats)

soak: ## SOAK=200 [SEED=n]: run that many notebooks while browsers, kernels and servers are killed
soak: export SEED := $(SEED)
soak: setup $(TESTVENV_DONE)
	@PATH="$(CURDIR)/$(BIN):$$PATH" build/testvenv/bin/python tests/soak $(or $(SOAK),200)
