# Python wheels of a whole nbscope: programs that run on any Linux with glibc 2.17 or newer, linked
# with their libraries, and all else that is installed.
# In:  share/sources, share/wheel/; what `make install` installs; WHEEL_ARCH (the processors)
# Out: build/dist/nbscope-VERSION-py3-none-manylinux_2_17_ARCH.manylinux2014_ARCH.whl; build/wheel/

WHEEL_ARCH ?= x86_64 aarch64
WHEEL := build/wheel
$(eval $(call venv,wheel-venv,share/wheel/requirements.txt,setup: zig and CMake))
ZIG_DONE := build/wheel-venv/.done

# Before a command: zig's compiler as ARCH-zig-cc, and CMake, on PATH.
with_zig = PATH="$(CURDIR)/$(WHEEL)/bin:$(CURDIR)/build/wheel-venv/bin:$$PATH" \
	ZIG=$$(echo $(CURDIR)/build/wheel-venv/lib/python3*/site-packages/ziglang/zig) \
	ZIG_GLOBAL_CACHE_DIR=$(CURDIR)/$(WHEEL)/zig

.PHONY: wheel
wheel: ## write the Python wheels into build/dist (WHEEL_ARCH=x86_64: one of the two)
wheel: $(WHEEL_ARCH:%=wheel-%)

$(WHEEL)/sources/.done: share/sources mk/setup/fetch-sources.sh | $(ZIG_DONE)
	@mk/setup/install-deps.sh wheel
	@mk/setup/fetch-sources.sh $(@D) build/wheel-venv/bin/python
	@touch $@

# $(call WHEEL_RULES,ARCH)
define WHEEL_RULES
.PHONY: wheel-$(1)
$(WHEEL)/$(1)/deps/.done: $(WHEEL)/sources/.done mk/setup/build-sources.sh share/wheel/zigcc \
		$(ZIG_DONE)
	@mkdir -p $(WHEEL)/bin && for tool in cc ar ranlib; do \
		ln -sf ../../../share/wheel/zigcc $(WHEEL)/bin/$(1)-zig-$$$$tool || exit; done
	@rm -rf $$(@D)
	@$$(with_zig) CC=$(1)-zig-cc AR=$(1)-zig-ar RANLIB=$(1)-zig-ranlib HOST=$(1)-linux-gnu \
		mk/setup/build-sources.sh $$(<D) $$(@D)
	@touch $$@

wheel-$(1): $(WHEEL)/$(1)/deps/.done $(BUILT)
	+@$$(with_zig) $$(MAKE) COMPILE=1 compiled BEGAN=$$$$(date +%s) BUILD=$(WHEEL)/$(1) \
		SCHEMAS= OPTIONAL_HEADERS= CC=$(1)-zig-cc AR=$(1)-zig-ar \
		CPPFLAGS='-U_FILE_OFFSET_BITS -I$(WHEEL)/$(1)/deps/include' \
		CFLAGS='-w -g0 -ffunction-sections -fdata-sections' \
		LDFLAGS='-L$(WHEEL)/$(1)/deps/lib -lssl -s -Wl,--gc-sections' \
		$(if $(findstring jobserver,$(MAKEFLAGS)),,-j$$$$(nproc))
	@rm -rf $(WHEEL)/$(1)/tree && mkdir -p build/dist
	@mk/setup/install-tree.sh $(WHEEL)/$(1)/bin $(BUILD)/schema $(WHEEL)/$(1)/tree $(PROGRAMS)
	@install -D -t $(WHEEL)/$(1)/tree/share/nbscope/bin $(WHEEL)/$(1)/deps/bin/jq
	@python3 share/wheel/write_wheel.py $(WHEEL)/$(1)/tree $(1) build/dist
endef
$(foreach a,x86_64 aarch64,$(eval $(call WHEEL_RULES,$(a))))
