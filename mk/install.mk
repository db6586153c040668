# Install programs, pages and manuals; remove what was generated.
# In:  build/bin, build/schema, man/, share/
# Out: DESTDIR/PREFIX/{bin,share/man,share/nbscope}

PREFIX ?= /usr/local
.PHONY: install clean distclean
install: programs ## install into PREFIX (default /usr/local), below DESTDIR
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man7 \
		$(DESTDIR)$(PREFIX)/share/nbscope/lab $(DESTDIR)$(PREFIX)/share/nbscope/schema $(DESTDIR)$(PREFIX)/share/nbscope/report/section \
		$(DESTDIR)$(PREFIX)/share/nbscope/ci $(DESTDIR)$(PREFIX)/share/nbscope/prometheus \
		$(DESTDIR)$(PREFIX)/share/nbscope/ipython/nbscope
	install -m 755 $(addprefix $(BIN)/,$(PROGRAMS)) $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(wildcard man/*.1) $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(wildcard man/*.7) $(DESTDIR)$(PREFIX)/share/man/man7
	install -m 644 $(wildcard share/lab/*) $(DESTDIR)$(PREFIX)/share/nbscope/lab
	install -m 644 $(wildcard share/schema/*.json) $(SCHEMAS) $(DESTDIR)$(PREFIX)/share/nbscope/schema
	install -m 644 $(wildcard share/report/*.*) $(DESTDIR)$(PREFIX)/share/nbscope/report
	install -m 644 $(wildcard share/report/section/*) $(DESTDIR)$(PREFIX)/share/nbscope/report/section
	install -m 644 $(wildcard share/ci/*) $(DESTDIR)$(PREFIX)/share/nbscope/ci
	install -m 644 share/ipython/pyproject.toml $(DESTDIR)$(PREFIX)/share/nbscope/ipython
	install -m 644 $(wildcard share/ipython/nbscope/*.py) $(DESTDIR)$(PREFIX)/share/nbscope/ipython/nbscope
	install -m 644 $(wildcard share/prometheus/*) $(DESTDIR)$(PREFIX)/share/nbscope/prometheus

clean: ## remove what was generated for USECASE or NOTEBOOK (its runs and tables too)
	@export PATH="$(CURDIR)/$(BIN):$$PATH"; $(in_uc) mk/clean "$$UC"

distclean: ## remove build/ (programs and the Python environment)
	rm -rf build
