# Tests: all bats files, those with a browser too, also with instrumented programs; and real faults.
# In:  tests/*.bats, tests/requirements.txt; TESTS, ALL, SOAK (notebooks), SEED
# Out: a line for each test; the count at the end; of faults: a table of the faults, how often, what
#      was lost and what was left behind; build/testvenv and other folders of build/

TESTS ?= $(wildcard tests/*.bats)
export ALL ?=
TESTVENV_DONE := build/testvenv/.done

# bats, and the programs that tests use.
TEST_DEPS_DONE := build/deps-test.done
$(TEST_DEPS_DONE): share/packages | $(DEPS_DONE)
	@mk/setup/install-deps.sh test
	@touch $@

# The previous major version of the kernel, which has no parent of its own for each context.
IPYKERNEL6_DONE := build/ipykernel6/.done
$(IPYKERNEL6_DONE): $(TESTVENV_DONE)
	@rm -rf $(@D)
	@build/testvenv/bin/pip install --quiet --disable-pip-version-check --no-deps \
		--target $(@D) ipykernel==6.31.0
	@touch $@

# Snakemake, Jupyter Book, papermill and others, for the tests of their recipes.
RECIPES_DONE := build/recipes/.done
$(RECIPES_DONE): tests/recipes-requirements.txt | $(DEPS_DONE)
	@mk/setup/make-venv.sh $(@D) $<

# JupyterLab and what most tests need of it, without the extensions that jdaviz's packages bring,
# which each page loads: links into the environment that users get. The extension of ipywidgets,
# whose package.json is a copy, turns off what is in plugins-off.
TESTLAB_DONE := build/testlab/.done
$(TESTLAB_DONE): tests/linkenv.py tests/plugins-off $(VENV_DONE)
	@rm -rf $(@D)
	@$(PYTHON) $< $(@D) jupyterlab ipywidgets matplotlib pandas
	@cd $(@D)/share/jupyter/labextensions/@jupyter-widgets/jupyterlab-manager && \
		sed '/^#/d' $(CURDIR)/tests/plugins-off | jq -Rn --slurpfile p package.json \
		'[inputs] as $$off | $$p[0] | .jupyterlab.disabledExtensions = $$off' >new && \
		mv new package.json
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

# Emulation of arm64, and its C library: tests/wheel.bats.
TESTQEMU_DONE := build/testqemu/.done
$(TESTQEMU_DONE): | $(DEPS_DONE)
	$(call unpack,qemu-user-static libc6-arm64-cross,emulation of arm64)

# A Debian with a browser, but without a compiler, where root can make one: tests/wheel.bats.
CLEANROOT_DONE := build/cleanroot/.done
$(CLEANROOT_DONE): tests/cleanroot | $(DEPS_DONE)
	@mk/setup/install-deps.sh container
	@[ "$$(id -u)" != 0 ] || tests/cleanroot bookworm $(@D)/root python3 \
		python3-venv make chromium chromium-driver fonts-dejavu-core
	@mkdir -p $(@D) && touch $@

# A cluster: tests/slurm.bash.
$(TESTSLURM_DONE): | $(DEPS_DONE)
	$(call unpack,slurmctld slurmd slurm-client munge,Slurm)

# A real JupyterHub and its proxy, whose programs come from npm. Only test-hub makes it.
HUB_DONE := build/hub/.done
$(HUB_DONE): tests/hub-requirements.txt share/lab/requirements.txt | $(DEPS_DONE)
	@mk/setup/install-deps.sh hub
	@mk/setup/make-venv.sh $(@D) $<
	@npm install --silent --no-audit --no-fund --prefix $(@D) configurable-http-proxy@5.3.0
	@ln -sf ../node_modules/.bin/configurable-http-proxy $(@D)/bin

# The container's root file system, made as root by debootstrap, and what its tests need in it. Only
# test-container makes it.
CONTAINER_DONE := build/container/.done
$(CONTAINER_DONE): $(BUILT) share/container/make-root share/container/run \
		share/container/provision share/container/enter share/lab/requirements.txt
	+@$(MAKE) wheel WHEEL_ARCH=$(MACHINE)
	@mk/setup/install-deps.sh container
	@share/container/make-root $(@D)/root
	@share/container/run $(@D)/root $(@D)/root/data \
		/opt/nbscope/share/nbscope/mk/setup/install-deps.sh setup test compile
	@touch $(@D)/root/opt/nbscope/.done $@

# A real Selenium Grid, from Maven Central. Only test-grid and faults make it.
GRID_DONE := build/grid/.done
$(GRID_DONE): tests/grid.xml | $(DEPS_DONE)
	@mk/setup/install-deps.sh grid
	@mvn -q -B -f $< dependency:copy-dependencies -DoutputDirectory=$(CURDIR)/$(@D) \
		>build/grid.log 2>&1 || { tail -n 5 build/grid.log >&2; exit 1; }
	@touch $@

# Firefox's driver, where there is a Firefox, and a compiler for the driver if it needs one.
.PHONY: test-driver
test-driver: $(DEPS_DONE)
	@for program in firefox $(if $(CAN_FETCH_DRIVER),,cargo); do \
		command -v $$program >/dev/null || exit 0; done; \
		command -v geckodriver >/dev/null || $(MAKE) $(GECKODRIVER) || \
		echo "test: no geckodriver (build/geckodriver/log says why): its tests are skipped"

.PHONY: test bench prepare-test test-hub test-container test-grid faults soak
prepare-test: ## install what tests need in addition to setup: then "bats tests/x.bats" works
prepare-test: programs $(TEST_DEPS_DONE) $(TESTVENV_DONE) $(TESTDEBS_DONE) $(TESTSLURM_DONE) \
	$(FIGURE_DONE) $(if $(ALL),$(IPYKERNEL6_DONE) $(RECIPES_DONE) wheel $(TESTQEMU_DONE) \
	$(CLEANROOT_DONE))

test: $(TEST_DEPS_DONE) ## all tests, on a real JupyterLab in a real browser
	+@$(MAKE) -j$$(nproc) prepare-test
	+@tests/run '$(MAKE) --no-print-directory setup $(TESTLAB_DONE) test-driver' $(TESTS)

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

soak: ## SOAK=200 [KILL='cellrun runkeep' KILLS=20 SEED=n]: run that many while others are killed
soak: export SEED := $(SEED)
soak: export KILLS := $(KILLS)
soak: export SETTINGS := $(foreach v,BROWSER PAGE,$(if \
	$(findstring command,$(origin $(v))),$(v)=$($(v))))
soak: setup $(TESTVENV_DONE)
	@PATH="$(CURDIR)/$(BIN):$$PATH" build/testvenv/bin/python tests/soak \
		$(or $(SOAK),200) $(KILL)

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
	@$(ASAN_ENV) tests/run true $(filter-out tests/noop.bats,$(TESTS)); s=$$?; \
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
		tests/run true $(TESTS)
	@tests/seen $(VALGRIND)/logs
