# The help text.
# In:  the text after ## in the fragments
# Out: make help

.PHONY: help
help: ## print this text
	@echo 'nbscope: what each cell of a notebook costs the person in front of the browser'
	@echo
	@echo 'usage: make TARGET [VARIABLE=value ...]'
	@echo
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | sort -u | awk -F '\t' '{printf "  %-18s %s\n", $$1, $$2}'
	@echo
	@echo 'variables, with their defaults:'
	@mk/setup/check-settings.sh --help-table mk/settings.mk mk/tasks.mk
