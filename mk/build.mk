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
# OTF2 is asked for when it is needed: setup may have installed it by then.
LIBS_runtrace = $(shell $(CC) $(CPPFLAGS) -include otf2/otf2.h -E -x c /dev/null >/dev/null 2>&1 && echo -lopen-trace-format2)

# cellgraph draws PNG where librsvg is there to be built with, else SVG and text.
RSVG := $(shell pkg-config --exists 'librsvg-2.0 >= 2.52' 2>/dev/null && echo yes)
LIBS_cellgraph := $(if $(RSVG),$(shell pkg-config --libs librsvg-2.0))

LIB_OBJECTS := $(patsubst tools/lib/%.c,$(BUILD)/obj/lib/%.o,$(wildcard tools/lib/*.c))
NB_LIB := $(BUILD)/obj/libnbscope.a

# V=1 shows the commands whole.
Q := $(if $(V),,@)
say = $(if $(V),,@echo '  $(1)')

# A changed flag is a changed prerequisite.
FLAGS_NOW := $(CC) $(NB_CPPFLAGS) $(CPPFLAGS) $(NB_CFLAGS) $(CFLAGS) $(NB_LDFLAGS) $(LDFLAGS) $(if $(RSVG),rsvg)
FLAGS_FILE := $(BUILD)/obj/flags
ifneq ($(FLAGS_NOW),$(file <$(FLAGS_FILE)))
$(shell mkdir -p $(BUILD)/obj)
$(file >$(FLAGS_FILE),$(FLAGS_NOW))
endif

# Where OTF2 came or went, what needs it is built anew.
OTF2_NOW := seen:$(wildcard /usr/include/otf2/otf2.h /usr/local/include/otf2/otf2.h)
ifneq ($(OTF2_NOW),$(file <$(BUILD)/obj/otf2))
$(file >$(BUILD)/obj/otf2,$(OTF2_NOW))
endif
$(BUILD)/obj/lib/traceotf2.o $(BUILD)/obj/lib/otf2archive.o: $(BUILD)/obj/otf2

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

$(BUILD)/obj/lib/png.o: NB_CPPFLAGS += $(if $(RSVG),-DWITH_RSVG $(patsubst -I%,-isystem%,$(shell pkg-config --cflags librsvg-2.0)))

$(NB_LIB): $(LIB_OBJECTS)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BIN)/%: $(BUILD)/obj/%.o $(NB_LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(NB_CFLAGS) $(CFLAGS) $(NB_LDFLAGS) $(LDFLAGS) -o $@ $< $(NB_LIB) $(LIBS_$*) -ljansson -lm

-include $(wildcard $(BUILD)/obj/*.d $(BUILD)/obj/lib/*.d)
