# Chromium: its driver, of the browser's version.
# In:  BROWSER_KIND, GOALS_WITH_VENV, CACHE, PYTHON
# Out: where something starts it: VENV_DONE with DRIVER_DONE, a folder before PATH, which is made
#      again when the browser or the driver on PATH is another one

ifneq ($(and $(filter chromium,$(BROWSER_KIND)),$(filter $(GOALS_WITH_VENV),$(MAKECMDGOALS))),)
DRIVER_DONE := $(abspath $(CACHE))/chromedriver/$(shell BROWSER=$(call quoted,$(BROWSER)); \
	export BROWSER; stat -Lc '%n %s %Y' $$($(nbscope)/mk/setup/find-browser.sh) \
	$$(command -v chromedriver) 2>&1 | cksum | tr ' ' -)
$(DRIVER_DONE): | $(DEPS_DONE) $(firstword $(VENV_DONE))
	@$(nbscope)/mk/setup/choose-driver.sh $@ $(PYTHON) $(VENV:%=%/bin/python) python3
VENV_DONE += $(DRIVER_DONE)
export PATH := $(DRIVER_DONE):$(PATH)
endif
