# Compare one label with another; make the environment of each.
# In:  LABEL, WITH or WITH_LABEL (its requirements); BASE, or A and B; PACKAGE, GOOD and BAD, or
#      FROM and TO; UC/budgets.yaml
# Out: ENVS, and ENVS/LABEL (a virtual environment); UC/metrics/LABEL/against-BASE/; PACKAGES, VENV
#      where WITH is set

# Each of a user's folders has environments of its own.
ENVS = $(if $(INSTALLED),$(CACHE)/envs/$(firstword $(shell pwd | cksum)),$(STORE)/envs)
$(call literally,WITH_$(LABEL))
override WITH := $(or $(strip $(WITH)),$(strip $(WITH_$(LABEL))))
ifneq ($(WITH),)
ENV := $(HERE)$(ENVS)/$(LABEL)
$(if $(filter-out $(ENV),$(VENV)),$(error \
	WITH and VENV are both set: WITH makes an environment of its own, VENV takes yours))
override VENV := $(ENV)
CHECKED := $(subst <>venv=<>,<>venv=$(ENV)<>,$(CHECKED))
# The contents of checkouts (-e ../jdaviz) identify an environment, too.
CHECKOUTS := $(shell $(nbscope)/mk/setup/identify-checkouts.sh $(call quoted,$(WITH)))
ifneq ($(filter profile profile-notebook plan calibrate env prepare aa,$(MAKECMDGOALS)),)
# Installing from a folder may leave files in it, so its state is read once.
ifndef MAKE_RESTARTS
$(call stamp,$(ENV).with,$(strip $(WITH) $(if $(filter -e,$(WITH)),,$(CHECKOUTS)) $(if \
	$(INSTALLED),$(call checksum,$(nbscope)/share/lab/requirements.txt))))
endif
# Its packages are in a makefile, which make remakes first and reads.
include $(ENV)/.packages.mk
$(ENV)/.packages.mk: $(ENV).with $(if $(INSTALLED),,share/lab/requirements.txt) | $(DEPS_DONE)
	@REQUIREMENTS=$(REQUIREMENTS) $(nbscope)/mk/setup/make-environment.sh $(ENV)
endif
endif

# What is compared without a GATE, if it is not metriccmp's default.
comma := ,
ITEM_METRICS := $(subst $(empty) ,$(comma),$(strip $(if $(ITEMS)$(ITEMS_SHARE),client kernel \
	memory bytes latency) $(if $(ITEMS),items_per_s) $(if $(ITEMS_SHARE),items_done_pct)))
export ITEM_METRICS

.PHONY: env compare ab bisect aa check history scaling
env: ## install the environment that WITH describes
	@$(in_uc) nbscope=$(nbscope); . $(nbscope)/mk/show/say.sh; uc=$$UC label=$(LABEL); $(if \
		$(ENV),say "env: $(ENVS)/$(LABEL) is ready; next:" \
			"$$(type_to profile WITH="$$WITH")",\
		say "env: nothing to make: LABEL=$(LABEL) has no WITH" >&2)

ifeq ($(CAMPAIGN),)
compare: ## BASE=released LABEL=pr: is LABEL worse than BASE?
compare: $(if $(BASE),$(AT)/metrics/$(BASE)/metrics.jsonl $(TABLES)) programs
	@$(in_results) $(nbscope)/mk/metric/compare-labels.sh "$$UC" "$$BASE" $(LABEL)
endif

ab: ## A=released B=pr: run both, interleaved (ABBA), until it is decided; or REPEAT=10 runs of each
ab: $(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE) programs
	@$(hold) --scratch --no-lock "$$UC/runs" \
		$(nbscope)/mk/run/$(if $(UNTIL_DECIDED),decide,alternate)-labels.sh '$(MAKE)' \
		"$$UC" "$$A" "$$B"
	@$(MAKE) compare BASE="$$A" LABEL="$$B"

bisect: ## PACKAGE=x GOOD=1 BAD=2: which release, or commit, is worse; FROM= TO=: which dependency
bisect: $(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE) programs
	@$(if $(UNTIL_DECIDED),MAX_SECONDS=$$($(nbscope)/mk/run/count-seconds.sh bisect) || exit; \
		export MAX_SECONDS;) $(hold) --scratch --no-lock "$$UC/runs" \
		$(PYTHON) -B $(nbscope)/share/bisect/find_guilty.py --envs $(ENVS) \
			--make '$(MAKE)' --package "$$PACKAGE" \
		--good "$$GOOD" --bad "$$BAD" --from "$$FROM" --to "$$TO" \
		--releases "$$RELEASES" --alpha "$$ALPHA" --explain "$$EXPLAIN" "$$UC"

aa: ## REPEAT=20: compare LABEL with itself: false-alarm rate and power on this machine
aa: $(COMBINATIONS) $(DEPS_DONE) $(VENV_DONE) programs
	@$(hold) --scratch --no-lock "$$UC/runs" env WITH= TARGET=aa \
		$(nbscope)/mk/run/alternate-labels.sh '$(MAKE)' "$$UC" $(LABEL)-a $(LABEL)-b
	@$(in_results) b="$(METRICS)-b"; rm -f "$$b/against-$(LABEL)-a/verdict.json"; \
		$(MAKE) compare BASE=$(LABEL)-a LABEL=$(LABEL)-b || \
			[ -e "$$b/against-$(LABEL)-a/verdict.json" ] || exit 4; \
		printf '\nload average: %s\n' "$$(cut -d' ' -f1-3 /proc/loadavg)"; \
		metricrate --format table $${GATE:+--gate "$$GATE"} --seed $(SEED) \
			"$(METRICS)-a/metrics.jsonl" "$$b/metrics.jsonl"

BUDGETS := $(firstword $(wildcard $(addprefix $(AT)/budgets.,yaml yml json)))
check: $(TABLES) programs ## check the limits in USECASE's budgets.yaml; without one, propose it
	@$(in_results) $(if $(BUDGETS),metricbudget --format table --verdict \
			"$(METRICS)/check/verdict.json" $(BUDGETS) "$(METRICS)/metrics.jsonl",\
		$(nbscope)/mk/metric/propose-budgets.sh "$$UC" $(LABEL))

# With BASE, the steps that its comparison found, too.
history: ## add LABEL to USECASE's history.jsonl; its steps and its curves
history: $(TABLES) $(if $(BASE),$(AGAINST)/comparison.jsonl) programs
	@$(hold) --scratch "$$UC/report" $(nbscope)/mk/show/write-history.sh \
		"$$UC/report/history.html" \
		"$$UC/history.jsonl" "$(METRICS)/metrics.jsonl" $(if \
		$(BASE),"$(METRICS)/against-$$BASE/comparison.jsonl")

scaling: $(TABLES) programs ## how each cell's cost grows with the parameters of USECASE
	@memory=$$(awk '/^MemTotal/ {print $$2 * 1024}' /proc/meminfo); $(in_results) \
		metricscale --format table --limits "client=$(MAX_WAIT_TIME),memory=$$memory" \
		"$(METRICS)/metrics.jsonl"

export USECASE UC LABEL REPEAT BASE A B FAIL_ON GATE ALLOW ALPHA SEED MAX_TIME WITH CHECKOUTS
export PACKAGE GOOD BAD FROM TO RELEASES EXPLAIN
