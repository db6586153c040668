# The programs.
# In:  tools/NAME.c, tools/lib/*.c
# Out: build/bin/NAME; BIN (their folder), PROGRAMS (their names)

CC ?= gcc
# glibc's extensions (asprintf, close_range, strsep) are used: Linux only.
NB_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Itools/lib
NB_CFLAGS := -std=c11 -O2 -g -Wall -Wextra -Wpedantic -Wshadow -Wconversion -fPIE
NB_LDFLAGS := -pie -Wl,-z,relro,-z,now,-z,noexecstack -Wl,--as-needed
# Elsewhere for programs built otherwise (mk/sanitize.mk).
BUILD := $(or $(NBSCOPE_BUILD),build)

# Against faults of our own: what this compiler has of it, asked for once; before it
# is installed, what Debian 12's has.
HARDENING_FILE := $(BUILD)/obj/hardening
HARDENING := $(file <$(HARDENING_FILE))
ifneq ($(filter $(CC)=%,$(HARDENING)),$(CC)=asked)
takes = $(shell printf '$(hash)include <stdio.h>\nint x;\n' | $(CC) -O2 -Werror -c -o /dev/null $(1) -x c - 2>/dev/null && echo '$(1)')
ifeq ($(call takes,-O2),)
HARDENING := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection \
	$(if $(filter x86_64,$(shell uname -m)),-fcf-protection) $(if $(filter aarch64,$(shell uname -m)),-mbranch-protection=standard)
else
HARDENING := $(CC)=asked $(or $(call takes,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2) \
	$(foreach f,-fstack-protector-strong -fstack-clash-protection -fcf-protection -mbranch-protection=standard,$(call takes,$(f)))
$(shell mkdir -p $(BUILD)/obj)
$(file >$(HARDENING_FILE),$(HARDENING))
endif
endif
NB_CFLAGS += $(filter -%,$(HARDENING))

PROGRAMS := $(patsubst tools/%.c,%,$(wildcard tools/*.c))
BIN := $(BUILD)/bin

# The only list kept by hand: what a program needs beside jansson and libm.
LIBS_nbexpand := -lyaml -lmd
LIBS_metricbudget := -lyaml
LIBS_cellrun := -lcurl
LIBS_labserve := -lcurl
LIBS_wdsession := -lcurl
LIBS_vizwait := -lcurl
LIBS_metricprom := -lcurl
# What is of use and not needed: OTF2 archives (runtrace), PNG (cellgraph). Asked
# for when it is needed, since setup may have installed it by then.
OPTIONAL_HEADERS := $(foreach d,/usr/include /usr/local/include,$(d)/otf2/otf2.h $(d)/librsvg-2.0/librsvg/rsvg.h)
have = $(filter %/$(1),$(shell ls $(OPTIONAL_HEADERS) 2>/dev/null))
LIBS_runtrace = $(if $(call have,otf2.h),-lopen-trace-format2)
LIBS_cellgraph = $(if $(call have,rsvg.h),$(shell pkg-config --libs librsvg-2.0))

LIB_OBJECTS := $(patsubst tools/lib/%.c,$(BUILD)/obj/lib/%.o,$(wildcard tools/lib/*.c))
NB_LIB := $(BUILD)/obj/libnbscope.a

# V=1 shows the commands whole.
Q := $(if $(V),,@)
say = $(if $(V),,@echo '  $(1)')

# $(call note_flags,FILE,VARIABLE): a changed flag is a changed prerequisite, of what is
# built: a target that builds nothing leaves the programs as they are.
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

# Where one of them came or went, what needs it is built anew.
OPTIONAL_SEEN := $(BUILD)/obj/optional
see_optional = mkdir -p $(dir $(OPTIONAL_SEEN)); ls $(OPTIONAL_HEADERS) >$(OPTIONAL_SEEN) 2>/dev/null || true
ifneq (seen $(sort $(wildcard $(OPTIONAL_HEADERS))),$(if $(wildcard $(OPTIONAL_SEEN)),seen $(sort $(file <$(OPTIONAL_SEEN)))))
$(shell $(see_optional))
endif
OPTIONAL_OBJECTS := $(addprefix $(BUILD)/obj/lib/,traceotf2.o otf2archive.o png.o)
$(OPTIONAL_OBJECTS): $(OPTIONAL_SEEN)
$(BUILD)/obj/lib/png.o: NB_CPPFLAGS += $(if $(call have,rsvg.h),-DWITH_RSVG $(patsubst -I%,-isystem%,$(shell pkg-config --cflags librsvg-2.0)))

# What is killed half way leaves no half file that counts as up to date. Objects are kept. (.SECONDARY would make missing runs count as up to date.)
.PRECIOUS: $(BUILD)/obj/%.o
.PHONY: programs
programs: $(addprefix $(BIN)/,$(PROGRAMS)) ## build the programs

$(BUILD)/obj/%.o: tools/%.c $(FLAGS_FILE) | $(DEPS_DONE)
	@mkdir -p $(@D)
	$(call say,cc $<)
	$(Q)$(CC) $(NB_CPPFLAGS) $(CPPFLAGS) $(NB_CFLAGS) $(CFLAGS) -MMD -MP -MF $@.$$$$.dep -MT $@ -c -o $@.$$$$.tmp $< && mv -f $@.$$$$.dep $(@:.o=.d) && mv -f $@.$$$$.tmp $@

# The page's scripts stand inside it.
$(BUILD)/obj/lib/page.o: $(wildcard share/page/*.js)
$(BUILD)/obj/lib/pyenv.o: $(wildcard share/lab/*.py share/lab/*.json)
$(BUILD)/obj/lib/plotweb.o: $(wildcard share/figure/*)
$(BUILD)/obj/lib/reportplace.o: $(wildcard share/report/*)
$(BUILD)/obj/lib/tableparquet.o: share/parquet/columns.py

# So does what is loaded into another's program, where no sanitizer is.
GUARD_SO := $(BUILD)/obj/driverguard.so
$(GUARD_SO): tools/preload/driverguard.c tools/lib/peer.c tools/lib/peer.h $(FLAGS_FILE) | $(DEPS_DONE)
	$(call say,cc $<)
	$(Q)$(CC) $(NB_CPPFLAGS) $(CPPFLAGS) $(filter-out -fPIE,$(NB_CFLAGS)) -fPIC -shared -Wl,-z,relro,-z,now -o $@ $(filter %.c,$^)
$(BUILD)/obj/lib/guard.o: $(GUARD_SO)
%/lib/guard.o: NB_CPPFLAGS += -DGUARD_SO='"$(GUARD_SO)"'

$(NB_LIB): $(LIB_OBJECTS)
	$(Q)$(AR) rcs $@.$$$$.tmp $^ && mv -f $@.$$$$.tmp $@

$(BIN)/%: $(BUILD)/obj/%.o $(NB_LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(NB_CFLAGS) $(CFLAGS) $(NB_LDFLAGS) $(LDFLAGS) -o $@.$$$$.tmp $< $(NB_LIB) $(LIBS_$*) -ljansson -lm && mv -f $@.$$$$.tmp $@

-include $(wildcard $(BUILD)/obj/*.d $(BUILD)/obj/lib/*.d)
