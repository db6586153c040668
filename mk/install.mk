# Install programs, pages and manuals, or all in an image; remove what was generated.
# In:  build/bin, build/schema, man/, share/; APT, REQUIREMENTS
# Out: DESTDIR/PREFIX/{bin,share/man,share/nbscope}

PREFIX ?= /usr/local
# install_to FOLDER,FILES,MODE
install_to = install -D -m $(or $(3),644) -t $(DESTDIR)$(PREFIX)/$(1) $(2)
.PHONY: install clean distclean
install: programs ## install into PREFIX (default /usr/local), below DESTDIR
	$(call install_to,bin,$(addprefix $(BIN)/,$(PROGRAMS)),755)
	$(call install_to,share/man/man1,$(wildcard man/*.1))
	$(call install_to,share/man/man7,$(wildcard man/*.7))
	$(call install_to,share/nbscope/schema,$(SCHEMAS))
	$(foreach d,schema ipython ipython/nbscope report report/section lab ci prometheus,\
		$(call install_to,share/nbscope/$(d),$(filter-out \
		%.in %.c %.egg-info %/load.py,$(wildcard share/$(d)/*.*)))$(newline))

clean: ## remove what was generated of LABEL (its runs and tables too), or of all labels (YES=1)
	@$(in_results) mk/setup/remove-results.sh "$$UC" \
		"$(if $(filter override,$(origin LABEL)),$$LABEL)"

distclean: ## remove build/ (programs and the Python environment)
	rm -rf build

.PHONY: container
container: ## build the image nbscope, with APT='packages' REQUIREMENTS=file, or those of USECASE
	@APT='$(APT)' REQUIREMENTS=$(REQUIREMENTS) mk/setup/build-container.sh
