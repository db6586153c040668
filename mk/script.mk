# Scripts as notebooks, and cells as scripts.
# In:  NOTEBOOK=NAME.py or '-m MODULE:FUNCTION'; UC/notebooks/, CELLS; share/script, share/ipython
# Out: JUPYTEXT_DONE (needed for a NOTEBOOK that is a script); UC/scripts/NAME/jupyter_to_script.py and _run.sh

JUPYTEXT_DONE := build/jupytext-venv/.done

$(JUPYTEXT_DONE): share/script/requirements.txt | $(DEPS_DONE)
	@echo "script: jupytext into build/jupytext-venv (once)"
	@sh mk/setup/make-venv.sh --without-pip build/jupytext-venv $<
	@touch $@

ifdef OF_NOTEBOOK
adopt: $(if $(filter %.py,$(lastword $(NOTEBOOK))),$(if $(filter -m,$(firstword $(NOTEBOOK))),,$(JUPYTEXT_DONE)))
endif

.PHONY: script
script: $(COMBINATIONS) $(VENV_DONE) programs ## write cells (CELLS, or tagged `script`, else all) as a Python script and a shell script
	@$(hold) --scratch "$$UC/scripts" mk/generate/write-scripts.sh "$$UC"
