# Remove what was generated, and what nbscope made for itself.
# In:  UC, LABEL; STORE, CACHE; YES
# Out: nothing of it

.PHONY: clean distclean
clean: ## remove what was generated of LABEL (its runs and tables too), or of all labels (YES=1)
	@$(in_results) $(nbscope)/mk/setup/remove-results.sh "$$UC" \
		"$(if $(filter override,$(origin LABEL)),$$LABEL)"

distclean: ## remove what nbscope made for itself: Python environments, in a checkout the programs
	$(if $(INSTALLED),@$(nbscope)/mk/setup/remove-cache.sh $(CACHE),rm -rf build)
