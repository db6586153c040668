# Inject real faults: one by one, and at random under many notebooks.
# In:  tests/faults-*.bats, tests/soak; SOAK (notebooks), SEED
# Out: a table of the faults, how often, what was lost and what was left behind

FAULT_TESTS := $(wildcard tests/faults-*.bats)

.PHONY: faults soak
faults: setup $(TESTVENV_DONE) $(GRID_DONE) ## inject every fault; report what was lost and what was left behind (most of an hour)
	@tests/faults $(FAULT_TESTS)

soak: export SEED := $(SEED)
soak: setup $(TESTVENV_DONE) ## SOAK=200 [SEED=n]: run that many notebooks while browsers, kernels and servers are killed
	@PATH="$(CURDIR)/$(BIN):$$PATH" build/testvenv/bin/python tests/soak $(or $(SOAK),200)
