# Compiling and linking, in a make of its own: see in_parallel in mk/build.mk.
# In:  tools/GROUP/NAME.c or tools/GROUP/NAME/*.c (its main is NAME.c), tools/lib/ROOM/*.c and
#      tools/GROUP/lib/ROOM/*.c (rooms of all groups, of one group), share/schema/*.in
# Out: build/bin/NAME, build/schema/TYPE.json, build/obj/

# glibc's extensions (asprintf, close_range, strsep) are used: Linux only.
NB_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Itools/lib
NB_CFLAGS := -std=c11 -O2 -g -Wall -Wextra -Wno-missing-field-initializers -Wpedantic -Wshadow \
	-Wconversion -fPIE
NB_LDFLAGS := -pie -Wl,-z,relro,-z,now,-z,noexecstack -Wl,--as-needed

ifneq ($(wildcard $(OWN_DEPS)/include),)
NB_CPPFLAGS += -I$(OWN_DEPS)/include
NB_LDFLAGS += -L$(OWN_DEPS)/lib
endif

# A source sees the rooms of all groups and those of its own, not another group's.
group_of = $(word 2,$(subst /, ,$(1)))
group_rooms = -Itools/$(call group_of,$<)/lib

# The hardening flags that this compiler supports, determined once.
HARDENING_FILE := $(BUILD)/obj/hardening
HARDENING := $(file <$(HARDENING_FILE))
ifneq ($(filter $(CC)=%,$(HARDENING)),$(CC)=asked)
hash := \#
supported = $(shell printf '$(hash)include <stdio.h>\nint x;\n' | \
	$(CC) -O2 -Werror -c -o /dev/null $(1) -x c - 2>/dev/null && echo '$(1)')
FORTIFY := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE
HARDENING := $(CC)=asked $(or $(call supported,$(FORTIFY)=3),$(FORTIFY)=2) $(foreach \
	f,stack-protector-strong stack-clash-protection cf-protection,$(call supported,-f$(f))) \
	$(call supported,-mbranch-protection=standard)
$(shell mkdir -p $(BUILD)/obj)
$(file >$(HARDENING_FILE),$(HARDENING))
endif
NB_CFLAGS += $(filter -%,$(HARDENING))

# The only list kept by hand: what a program needs besides jansson and libm.
LIBS_nbexpand := -lyaml -lmd
LIBS_runplan := -lmd
LIBS_metricbudget := -lyaml
LIBS_metriccmp := -lyaml
LIBS_metricrate := -lyaml
LIBS_metricscale := -lyaml
LIBS_metricstat := -lyaml
LIBS_metricplot := -lyaml
LIBS_table2metrics := -lyaml
LIBS_cellrun := -lcurl -lmd
LIBS_celllisten := -lcurl -lmd
LIBS_kernelrun := -lcurl -lmd -lwebsockets
LIBS_labserve := -lcurl -lcrypto
LIBS_wdsession := -lcurl -lcrypto
LIBS_vizwait := -lcurl
have = $(filter %/$(1),$(OPTIONAL_HEADERS))
LIBS_runtrace := $(if $(call have,otf2.h),-lopen-trace-format2)

# $(call note_flags,FILE,VARIABLE): FILE is a prerequisite that changes with VARIABLE.
define note_flags
ifneq ($$($(2)),$$(file <$(1)))
.PHONY: $(1)
$(1):
	@mkdir -p $$(@D) && printf '%s\n' '$$(subst ','\'',$$($(2)))' >$$@
endif
endef
FLAGS_NOW := $(CC) $(NB_CPPFLAGS) $(CPPFLAGS) $(NB_CFLAGS) $(CFLAGS) $(NB_LDFLAGS) $(LDFLAGS)
FLAGS_FILE := $(BUILD)/obj/flags
$(eval $(call note_flags,$(FLAGS_FILE),FLAGS_NOW))
OPTIONAL_FILE := $(BUILD)/obj/optional
$(eval $(call note_flags,$(OPTIONAL_FILE),OPTIONAL_HEADERS))
$(addprefix $(BUILD)/obj/,runtrace/trace_otf2.o runtrace/otf2_archive.o): $(OPTIONAL_FILE)

.PHONY: compiled
compiled: $(addprefix $(BIN)/,$(PROGRAMS)) $(SCHEMAS)
ifeq ($(findstring s,$(firstword -$(MAKEFLAGS))),)
	@seconds=$$(($$(date +%s) - $(BEGAN))); [ $$seconds = 0 ] || \
		echo "setup: $(words $(PROGRAMS)) programs in $(BIN) ($$seconds s)"
endif

COMPILE_C = $(CC) $(NB_CPPFLAGS) $(group_rooms) $(CPPFLAGS) $(NB_CFLAGS) $(CFLAGS)
LINK = $(CC) $(NB_CFLAGS) $(CFLAGS) $(NB_LDFLAGS) $(LDFLAGS)
# A command writes to NEW; what is killed must not leave half a file that counts as up to date.
NEW = $@.$$$$.tmp
DONE = mv -f $(NEW) $@

.PRECIOUS: $(BUILD)/obj/%.o
$(BUILD)/obj/%.o: tools/%.c $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(Q)$(COMPILE_C) -MMD -MP -MF $@.$$$$.dep -MT $@ -c -o $(NEW) $< && \
		mv -f $@.$$$$.dep $(@:.o=.d) && $(DONE)

# Files of share/ that are embedded in programs.
$(addprefix $(BUILD)/obj/run/,$(addsuffix .o,lib/browser/page_script lib/browser/page_screenshot \
	cellrun/filmstrip)): $(wildcard share/page/*.js)
$(BUILD)/obj/run/lib/kernel/page_rules.o: share/page/rules.json $(wildcard share/page/*.py)
$(BUILD)/obj/run/lib/kernel/extension.o: share/ipython/load.py
$(BUILD)/obj/run/remotesample.o: share/ipython/nbscope/remote.py
$(BUILD)/obj/run/labserve/pyenv.o: $(wildcard share/lab/*.py share/lab/*.json)
$(BUILD)/obj/lib/table/table_parquet.o: share/parquet/columns.py
$(BUILD)/obj/show/lib/figure/figure_output.o: share/figure/render.py share/figure/groups.js
$(BUILD)/obj/show/lib/figure/figure_theme.o: share/figure/theme.json

# The profilers are one module of Python; the table says in which order they begin.
PROFILERS_PY := $(BUILD)/obj/run/cellprofile/profilers.py
PROFILE_PARTS := share/profile/profile.py share/ipython/nbscope/tracing.py \
	$(sort $(filter-out share/profile/profile.py,$(wildcard share/profile/*.py)))
$(PROFILERS_PY): share/profile/profilers $(PROFILE_PARTS)
	@mkdir -p $(@D)
	$(Q){ cat $(PROFILE_PARTS) && awk '$$2 == "kernel" { print "ORDER.append(\"" $$1 "\")" }' \
		$<; } >$(NEW) && $(DONE)
$(BUILD)/obj/run/cellprofile/profiling.o: $(PROFILERS_PY)
%/cellprofile/profiling.o: NB_CPPFLAGS += -DPROFILERS_PY='"$(PROFILERS_PY)"'

# So are the kinds of figures, as one array that begins with what all of them can use.
KINDS_TEXT := $(BUILD)/obj/kinds.json
KIND_FILES := share/figure/templates.json $(sort $(wildcard share/figure/kinds/*.json))
$(eval $(call note_flags,$(BUILD)/obj/kinds,KIND_FILES))
$(KINDS_TEXT): $(KIND_FILES) $(BUILD)/obj/kinds
	$(Q){ printf '[' && cat $< && for f in $(wordlist 2,999,$(KIND_FILES)); do \
		echo , && cat $$f || exit; done && echo ']'; } >$(NEW) && $(DONE)
$(BUILD)/obj/show/metricplot/plot_kind.o: $(KINDS_TEXT)
%/metricplot/plot_kind.o: NB_CPPFLAGS += -DKINDS_TEXT='"$(KINDS_TEXT)"'

# Those of the report are one file, in which each follows its name.
REPORT_FILES := $(BUILD)/obj/show/metricreport/files.txt
$(REPORT_FILES): share/figure/groups.js $(wildcard share/report/section/*.html \
	$(addprefix share/report/*.,html txt css js jq))
	@mkdir -p $(@D)
	@for f in $^; do printf '\f%s\n' "$${f#share/report/}"; cat "$$f"; done >$(NEW) && $(DONE)
$(BUILD)/obj/show/metricreport/page.o: $(REPORT_FILES)
%/metricreport/page.o: NB_CPPFLAGS += -DREPORT_FILES='"$(REPORT_FILES)"'

# So is the library that wdsession preloads into the driver.
GUARD_SO := $(BUILD)/obj/driverguard.so
$(GUARD_SO): tools/run/wdsession/preload/driverguard.c $(FLAGS_FILE) \
		$(wildcard tools/run/lib/net/peer_cred.[ch])
	$(Q)$(filter-out -fPIE,$(COMPILE_C)) -fPIC -shared -Wl,-z,relro,-z,now -o $@ \
		$(filter %.c,$^)
$(BUILD)/obj/run/wdsession/local_driver.o: $(GUARD_SO)
%/wdsession/local_driver.o: NB_CPPFLAGS += -DGUARD_SO='"$(GUARD_SO)"'

objects_of = $(patsubst tools/%.c,$(BUILD)/obj/%.o,$(wildcard $(1)))
NB_LIB := $(BUILD)/obj/libnbscope.a
$(NB_LIB): $(call objects_of,tools/lib/*/*.c)

# $(call GROUP_RULE,GROUP): the rooms of one group are a library of its programs.
define GROUP_RULE
GROUP_LIB_$(1) := $(BUILD)/obj/$(1)/lib.a
$(BUILD)/obj/$(1)/lib.a: $(call objects_of,tools/$(1)/lib/*/*.c)
endef
$(foreach d,$(wildcard tools/*/lib),$(eval $(call GROUP_RULE,$(call group_of,$(d)))))
%.a:
	$(Q)$(AR) rcs $(NEW) $^ && $(DONE)

# $(call PROGRAM_RULE,NAME,GROUP)
define PROGRAM_RULE
$(BIN)/$(1): $(call objects_of,tools/$(2)/$(1).c tools/$(2)/$(1)/*.c) $(GROUP_LIB_$(2)) $(NB_LIB)
	@mkdir -p $$(@D)
	$$(Q)$$(LINK) -o $$(NEW) $$(filter %.o %.a,$$^) $$(LIBS_$(1)) -ljansson -lm && $$(DONE)
endef
$(foreach m,$(MAINS),$(eval $(call PROGRAM_RULE,$(basename $(notdir $(m))),$(call group_of,$(m)))))

# A metric's schema is what the catalogue says of it; the .in file has all other members.
PRINT_METRICS := $(BUILD)/obj/print-metrics
$(PRINT_METRICS): mk/schema/print-metrics.c $(NB_LIB)
	$(Q)$(COMPILE_C) $(NB_LDFLAGS) $(LDFLAGS) -o $(NEW) $^ -ljansson -lm && $(DONE)
$(BUILD)/schema/%_metrics.json: share/schema/%_metrics.json.in $(PRINT_METRICS)
	@mkdir -p $(@D)
	$(Q)$(PRINT_METRICS) $* >$@.rows && sed '/^\t"properties": {$$/r $@.rows' $< >$(NEW) && \
		rm $@.rows && $(DONE)

-include $(wildcard $(BUILD)/obj/*/*.d $(BUILD)/obj/*/*/*.d $(BUILD)/obj/*/lib/*/*.d)
