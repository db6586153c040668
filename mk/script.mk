# Scripts as notebooks, and cells as scripts.
# In:  NOTEBOOK=NAME.py or '-m MODULE:FUNCTION'; UC/notebooks/, CELLS; share/script, share/ipython
# Out: UC/scripts/NAME/jupyter_to_script.py and _run.sh

ifdef OF_NOTEBOOK
adopt: $(if $(filter %.py,$(lastword $(NOTEBOOK))),$(if \
	$(filter -m,$(firstword $(NOTEBOOK))),,build/jupytext-venv/.done))
endif

.PHONY: script
script: ## write cells (CELLS, or tagged `script`, else all) as a Python script and a shell script
script: $(COMBINATIONS) $(VENV_DONE) programs
	@$(hold) --scratch "$$UC/scripts" mk/generate/write-scripts.sh "$$UC"
