# Install a whole nbscope, or all in an image.
# In:  build/bin, build/schema, man/, mk/, share/, usecases/; of the image: the wheel (mk/wheel.mk),
#      APT, REQUIREMENTS
# Out: below DESTDIR/PREFIX, which may be moved, and is only read later:
#      bin/              the programs, and the command nbscope (share/install/nbscope)
#      share/nbscope/    Makefile, mk/, share/ and usecases/ as in a checkout, without what compiles
#                        and tests; VERSION
#      share/man/        the manuals
#      share/jupyter/labextensions/nbscope   for a JupyterLab in the same environment
#      share/bash-completion/completions/nbscope, share/zsh/site-functions/_nbscope

PREFIX ?= /usr/local
.PHONY: install container
install: programs ## install into PREFIX (default /usr/local), below DESTDIR: the command nbscope
	@mk/setup/install-tree.sh '$(BIN)' '$(BUILD)/schema' '$(DESTDIR)$(PREFIX)' $(PROGRAMS)

container: ## build the image nbscope, with APT='packages' REQUIREMENTS=file, or those of USECASE
	+@APT='$(APT)' REQUIREMENTS=$(REQUIREMENTS) mk/setup/build-container.sh \
		'$(MAKE)' wheel WHEEL_ARCH=$(MACHINE)
