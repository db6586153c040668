# Cells as scripts.  Scripts as notebooks: mk/generate/adopt-notebook.sh.
# In:  UC/notebooks/, CELLS; share/ipython
# Out: UC/scripts/NAME/jupyter_to_script.py and _run.sh

.PHONY: script
script: ## write cells (CELLS, or tagged `script`, else all) as a Python script and a shell script
script: $(COMBINATIONS) $(VENV_DONE) programs
	@$(hold) --scratch "$$UC/scripts" mk/generate/write-scripts.sh "$$UC"
