# The programs.
# In:  tools/NAME.c, tools/lib/*.c
# Out: build/bin/NAME; BIN (their folder), PROGRAMS (their names)

CC ?= gcc
# glibc's extensions (asprintf, close_range, strsep) are used: Linux only.
NB_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Itools/lib
NB_CFLAGS := -std=c11 -O2 -g -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
	-D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
NB_LDFLAGS := -pie -Wl,-z,relro,-z,now -Wl,--as-needed

PROGRAMS := $(patsubst tools/%.c,%,$(wildcard tools/*.c))
BUILD := build
BIN := $(BUILD)/bin

# The only list kept by hand: what a program needs beside jansson and libm.
LIBS_nbexpand := -lyaml -lmd
LIBS_cellrun := -lcurl
LIBS_labserve := -lcurl
LIBS_wdsession := -lcurl
LIBS_vizwait := -lcurl
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

# A changed flag is a changed prerequisite.
FLAGS_NOW := $(CC) $(NB_CPPFLAGS) $(CPPFLAGS) $(NB_CFLAGS) $(CFLAGS) $(NB_LDFLAGS) $(LDFLAGS)
FLAGS_FILE := $(BUILD)/obj/flags
ifneq ($(FLAGS_NOW),$(file <$(FLAGS_FILE)))
$(shell mkdir -p $(BUILD)/obj)
$(file >$(FLAGS_FILE),$(FLAGS_NOW))
endif

# Where one of them came or went, what needs it is built anew.
OPTIONAL_SEEN := $(BUILD)/obj/optional
see_optional = mkdir -p $(dir $(OPTIONAL_SEEN)); ls $(OPTIONAL_HEADERS) >$(OPTIONAL_SEEN) 2>/dev/null || true
ifneq (seen $(sort $(wildcard $(OPTIONAL_HEADERS))),$(if $(wildcard $(OPTIONAL_SEEN)),seen $(sort $(file <$(OPTIONAL_SEEN)))))
$(shell $(see_optional))
endif
OPTIONAL_OBJECTS := $(addprefix $(BUILD)/obj/lib/,traceotf2.o otf2archive.o png.o)
$(OPTIONAL_OBJECTS): $(OPTIONAL_SEEN)
$(BUILD)/obj/lib/png.o: NB_CPPFLAGS += $(if $(call have,rsvg.h),-DWITH_RSVG $(patsubst -I%,-isystem%,$(shell pkg-config --cflags librsvg-2.0)))

# Objects are kept. (.SECONDARY would make missing runs count as up to date.)
.PRECIOUS: $(BUILD)/obj/%.o
.PHONY: programs
programs: $(addprefix $(BIN)/,$(PROGRAMS)) ## build the programs

$(BUILD)/obj/%.o: tools/%.c $(FLAGS_FILE) | $(DEPS_DONE)
	@mkdir -p $(@D)
	$(call say,cc $<)
	$(Q)$(CC) $(NB_CPPFLAGS) $(CPPFLAGS) $(NB_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# The page's scripts stand inside it.
$(BUILD)/obj/lib/page.o: $(wildcard share/page/*.js)
$(BUILD)/obj/lib/pyenv.o: $(wildcard share/lab/*.py share/lab/*.json)
$(BUILD)/obj/lib/plotweb.o: $(wildcard share/figure/*)
$(BUILD)/obj/lib/tableparquet.o: share/parquet/columns.py


$(NB_LIB): $(LIB_OBJECTS)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BIN)/%: $(BUILD)/obj/%.o $(NB_LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(NB_CFLAGS) $(CFLAGS) $(NB_LDFLAGS) $(LDFLAGS) -o $@ $< $(NB_LIB) $(LIBS_$*) -ljansson -lm

-include $(wildcard $(BUILD)/obj/*.d $(BUILD)/obj/lib/*.d)
