# What is published: a source archive, a Debian package, all of a release; the manuals as a website;
# tables of a manual and pictures of the README.
# In:  a commit; VERSION, NEWS.md, man/, share/debian, share/doors, share/settings; the tree of the
#      wheel (mk/wheel.mk); of the pictures: usecases/quickstart
# Out: build/dist: nbscope-VERSION.tar.gz, nbscope_VERSION_ARCH.deb; build/release/VERSION;
#      build/html-manuals/; two sections of man/nbscope-make.7; share/readme/*.png

DIST := build/dist/nbscope-$(NBSCOPE_VERSION)
.PHONY: dist deb release html-manuals manual-tables readme-pictures

# The same bytes for the same commit: git's date, and no date and name in gzip's head.
dist: ## write a source archive that builds without git: build/dist/nbscope-VERSION.tar.gz
	@[ -e .git ] || { echo 'dist: only a checkout of git can be archived' >&2; exit 2; }
	@mkdir -p build/dist
	@git diff --quiet HEAD || \
		echo 'dist: the archive has the last commit, without the changes since' >&2
	@git -c tar.umask=0022 -c tar.tar.gz.command='gzip -9n' archive --format=tar.gz \
		--prefix=$(notdir $(DIST))/ -o $(DIST).tmp HEAD
	@mv $(DIST).tmp $(DIST).tar.gz
	@echo "dist: $(DIST).tar.gz, SHA-256 $$(sha256sum <$(DIST).tar.gz | cut -d' ' -f1)"

# With the programs of the wheel, which need the C library alone: one package for all releases.
deb: ## write a package for Debian 12 and newer: build/dist/nbscope_VERSION_ARCH.deb
deb: wheel-$(MACHINE)
	@mk/setup/install-deps.sh deb
	@export SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || date +%s) && \
		mk/setup/build-deb.sh $(WHEEL)/$(MACHINE)/tree build/dist

# VERSION is that of the command line alone: other programs have a variable of this name, too.
release: ## VERSION=1.2.3: all tests, then wheels, package, archive: build/release/VERSION
	+@mk/setup/make-release.sh '$(if $(filter command,$(firstword $(origin \
		VERSION))),$(VERSION))' $(NBSCOPE_VERSION) '$(MAKE)'

html-manuals: ## write all manuals as a website, also for file://, to build/html-manuals
	@rm -rf build/$@.tmp
	@python3 share/manual/pages.py build/$@.tmp $(NBSCOPE_VERSION) $(wildcard man/*.[17])
	@rm -rf build/$@ && mv build/$@.tmp build/$@
	@echo "html-manuals: build/$@/index.html"

manual-tables: ## write what manuals have of tables: nbscope-make(7), nbscope-rules(7)
	@python3 share/manual/tables.py man/nbscope-make.7 Makefile mk/*.mk share/tasks/tasks.mk \
		tests/*.mk
	@python3 -B share/manual/rules.py man/nbscope-rules.7

PICTURED := build/readme/quickstart
readme-pictures: ## make the pictures of the README from a run of the quickstart
	@rm -rf $(PICTURED) && mkdir -p $(dir $(PICTURED)) && cp -R usecases/quickstart $(PICTURED)
	+@$(MAKE) profile USECASE=$(PICTURED) SCREENSHOTS=1
	+@$(MAKE) report USECASE=$(PICTURED) FIGURES_AS=png
	@$(PYTHON) share/readme/pictures.py $(PICTURED) share/readme
