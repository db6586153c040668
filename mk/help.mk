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
	@sed -n 's/^\([A-Z_]*\) [?:]= *\(.*\) ## \(.*\)/\1\t\2\t\3/p' mk/settings.mk mk/tasks.mk | awk -F '\t' '{ d = ($$2 ~ /[$$]/) ? "chromium" : $$2; printf "  %-16s %-12s %s\n", $$1, d, $$3}'
