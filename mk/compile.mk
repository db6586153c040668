# Compiling and linking, in a make of its own: see in_parallel in mk/build.mk.
# In:  tools/GROUP/NAME.c or tools/GROUP/NAME/*.c (its main is NAME.c), tools/lib/ROOM/*.c and
#      tools/GROUP/lib/ROOM/*.c (rooms of all groups, of one group), share/schema/*.in
#      ONLY (names of programs; empty: all)
# Out: build/bin/NAME, build/schema/TYPE.json, build/obj/

# Files that programs embed or include, and that are written from files of share/.
OBJ := $(BUILD)/obj/
EMBEDDED := $(addprefix $(OBJ),catalogue_rows.h profilers.py kinds.json report.txt driverguard.so \
	fontcache.so)

# glibc's extensions (asprintf, close_range, strsep) are used: Linux only.
NB_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Itools/lib -I$(OBJ) \
	-DOBJ_DIR='"$(OBJ)"' -DNBSCOPE_VERSION='"$(NBSCOPE_VERSION)"'
NB_CFLAGS := -std=c11 -O2 -g -Wall -Wextra -Wno-missing-field-initializers -Wpedantic -Wshadow \
	-Wconversion -fPIE
NB_LDFLAGS := -pie -Wl,-z,relro,-z,now,-z,noexecstack -Wl,--as-needed

# A source sees the rooms of all groups and those of its own, not another group's.
group_of = $(word 2,$(subst /, ,$(1)))
group_rooms = -Itools/$(call group_of,$<)/lib

# The hardening flags that this compiler supports, determined once.
HARDENING_FILE := $(OBJ)hardening
HARDENING := $(file <$(HARDENING_FILE))
ifneq ($(filter $(CC)=%,$(HARDENING)),$(CC)=asked)
HARDENING := $(CC)=asked $(shell mkdir -p $(OBJ); \
	for flags in '-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3' -fstack-protector-strong \
		-fstack-clash-protection -fcf-protection -mbranch-protection=standard; do \
		echo 'int x;' | $(CC) -O2 -Werror -include stdio.h -c -o $(OBJ)asked.o $$flags \
			-x c - 2>/dev/null && echo "$$flags"; done)
$(file >$(HARDENING_FILE),$(HARDENING))
endif
NB_CFLAGS += $(filter -%,$(HARDENING))

# What a program does not use is not linked to it (--as-needed); older C libraries have threads
# and dlopen(3) apart. OTF2 is used where it is installed.
LIBS := -lyaml -lmd -lcurl -lcrypto -lwebsockets \
	$(if $(OPTIONAL_HEADERS),-lopen-trace-format2) -ljansson -lm -lpthread -ldl

# A prerequisite that changes with the flags.
FLAGS := $(CC) $(NB_CPPFLAGS) $(CPPFLAGS) $(NB_CFLAGS) $(CFLAGS) $(NB_LDFLAGS) $(LDFLAGS) $(LIBS)
FLAGS_FILE := $(OBJ)flags
ifneq ($(FLAGS),$(file <$(FLAGS_FILE)))
.PHONY: $(FLAGS_FILE)
$(FLAGS_FILE):
	@printf '%s\n' '$(subst ','\'',$(FLAGS))' >$@
endif

.PHONY: compiled
compiled: $(addprefix $(BIN)/,$(or $(ONLY),$(PROGRAMS))) $(if $(ONLY),,$(SCHEMAS))
	@:
ifeq ($(findstring s,$(firstword -$(MAKEFLAGS))),)
	@seconds=$$(($$(date +%s) - $(BEGAN))); [ $$seconds = 0 ] || \
		[ ! "$$(find $(BIN) -newermt @$(BEGAN) -print -quit)" ] || \
		echo "setup: $(words $(or $(ONLY),$(PROGRAMS))) programs in $(BIN) ($$seconds s)"
endif

COMPILE_C = $(CC) $(NB_CPPFLAGS) $(group_rooms) $(CPPFLAGS) $(NB_CFLAGS) $(CFLAGS)
LINK = $(CC) $(NB_CFLAGS) $(CFLAGS) $(NB_LDFLAGS) $(LDFLAGS)
# A command writes to NEW; what is killed must not leave half a file that counts as up to date.
NEW = $@.$$$$.tmp
DONE = mv -f $(NEW) $@

# Files that are embedded in programs are prerequisites, as headers are.
.PRECIOUS: $(OBJ)%.o
$(OBJ)%.o: tools/%.c $(FLAGS_FILE) | $(EMBEDDED)
	@mkdir -p $(@D)
	$(Q)$(COMPILE_C) -MMD -MP -MF $@.$$$$.dep -MT $@ -c -o $(NEW) $< && \
		sed -n -e 's|^EMBED.*, OBJ_DIR "\(.*\)");|$@: $(OBJ)\1|p' \
			-e 's|^EMBED.*, "\(.*\)");|$@: \1\n\1:|p' $< >>$@.$$$$.dep && \
		mv -f $@.$$$$.dep $(@:.o=.d) && $(DONE)

# The table of metrics, as C.
$(OBJ)catalogue_rows.h: share/metric/catalogue.awk share/metric/catalogue
	@mkdir -p $(@D)
	$(Q)awk -f $^ >$(NEW) && $(DONE)

# The profilers are one module of Python; the table says in which order they begin.
$(OBJ)profilers.py: share/profile/profilers share/profile/profile.py \
		share/ipython/nbscope/tracing.py \
		share/ipython/nbscope/rules/collect.py $(filter-out \
		share/profile/profile.py,$(sort $(wildcard share/profile/*.py)))
	$(Q){ cat $(wordlist 2,999,$^) && \
		awk '$$2 == "kernel" { print "ORDER.append(\"" $$1 "\")" }' $<; } >$(NEW) && $(DONE)

# The kinds of figures are one array, which begins with what all of them can use.
$(OBJ)kinds.json: share/figure/templates.json share/figure/kinds \
		$(sort $(wildcard share/figure/kinds/*.json))
	$(Q){ printf '[' && cat $< && for f in $(wordlist 3,999,$^); do \
		echo , && cat $$f || exit; done && echo ']'; } >$(NEW) && $(DONE)

# The files of the report are one file, in which each follows its name.
$(OBJ)report.txt: share/figure/groups.js $(wildcard share/report/section/*.html \
		$(addprefix share/report/*.,html txt css js jq))
	$(Q)for f in $^; do \
		printf '\f%s\n' "$${f#share/report/}"; cat "$$f"; done >$(NEW) && $(DONE)

# Libraries that are preloaded, into the driver and into what draws figures.
define PRELOAD_RULE
$(OBJ)$(notdir $(1:.c=.so)): $(1) $(2) $(FLAGS_FILE)
	$$(Q)$$(filter-out -fPIE,$$(COMPILE_C)) -fPIC -shared -Wl,-z,relro,-z,now \
		$(filter -s,$(LDFLAGS)) -o $$(NEW) $$(filter %.c,$$^) && $$(DONE)
endef
$(eval $(call PRELOAD_RULE,tools/run/wdsession/preload/driverguard.c,$(wildcard \
	tools/run/lib/net/peer_cred.[ch])))
$(eval $(call PRELOAD_RULE,tools/show/lib/figure/preload/fontcache.c))

objects_of = $(patsubst tools/%.c,$(OBJ)%.o,$(wildcard $(1)))
NB_LIB := $(OBJ)libnbscope.a
$(NB_LIB): $(call objects_of,tools/lib/*/*.c)

# $(call GROUP_RULE,GROUP): the rooms of one group are a library of its programs.
define GROUP_RULE
GROUP_LIB_$(1) := $(OBJ)$(1)/lib.a
$(OBJ)$(1)/lib.a: $(call objects_of,tools/$(1)/lib/*/*.c)
endef
$(foreach d,$(wildcard tools/*/lib),$(eval $(call GROUP_RULE,$(call group_of,$(d)))))
%.a:
	$(Q)$(AR) rcs $(NEW) $^ && $(DONE)

# $(call PROGRAM_RULE,NAME,GROUP)
define PROGRAM_RULE
$(BIN)/$(1): $(call objects_of,tools/$(2)/$(1).c tools/$(2)/$(1)/*.c) $(GROUP_LIB_$(2)) $(NB_LIB)
	@mkdir -p $$(@D)
	$$(Q)$$(LINK) -o $$(NEW) $$(filter %.o %.a,$$^) $$(LIBS) && $$(DONE)
endef
$(foreach m,$(MAINS),$(eval $(call PROGRAM_RULE,$(basename $(notdir $(m))),$(call group_of,$(m)))))

# A metric's schema is what the catalogue says of it; the .in file has all other members.
PRINT_METRICS := $(OBJ)print-metrics
$(PRINT_METRICS): share/schema/print-metrics.c $(NB_LIB)
	$(Q)$(COMPILE_C) $(NB_LDFLAGS) $(LDFLAGS) -o $(NEW) $^ $(LIBS) && $(DONE)
$(BUILD)/schema/%_metrics.json: share/schema/%_metrics.json.in $(PRINT_METRICS)
	@mkdir -p $(@D)
	$(Q)$(PRINT_METRICS) $* >$@.rows && sed '/^\t"properties": {$$/r $@.rows' $< >$(NEW) && \
		rm $@.rows && $(DONE)

-include $(wildcard $(OBJ)*/*.d $(OBJ)*/*/*.d $(OBJ)*/lib/*/*.d)
