# onager: `make help` lists what can be made.
#
# Layout of build/: onager, onager.1; obj/ and libonager.a (all but main.c); tests/ (unit-*, cross); asan/ has the same
# with sanitizers, asan-all/ unit tests that make all rounds with them, tsan/ the unit tests of what threads share, with
# ThreadSanitizer; checked/ the program with all asserts, which those with sanitizers have, too; setup/ notes what scripts/setup has found; test-logs/ is what the last `make test` said.

# One job a core, unless -j says otherwise.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
ifneq ($(filter clean,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif

PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
WARNINGS ?= -Wall -Wextra -Wconversion -Wstrict-prototypes -Wmissing-prototypes
TEST_WARNINGS ?= -Wall -Wextra
# gcc's shared libubsan writes its reports to standard error only, where tests may not see them.
SANITIZE ?= -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined \
    $(if $(findstring clang,$(CC)),,-static-libubsan)
THREAD_SANITIZE ?= -O1 -g -fno-omit-frame-pointer -fsanitize=thread
LDLIBS += -lzstd -lz -ljansson -ledit -ldl -lpthread -lm

SOURCES := $(sort $(shell find src -name '*.c'))
OBJECTS := $(SOURCES:src/%.c=obj/%.o)
LIBRARY := $(filter-out obj/main.o,$(OBJECTS))
UNIT_TESTS := $(patsubst tests/unit/test_%.c,tests/unit-%,$(sort $(wildcard tests/unit/test_*.c)))
UNIT_SUPPORT := $(patsubst tests/unit/%.c,tests/support/%.o,$(filter-out tests/unit/test_%,\
    $(sort $(wildcard tests/unit/*.c))))
# What several threads work on at a time.
THREADED := $(filter $(addprefix tests/unit-,team bell parts collapse store bfs edges sweep fixpoint strong terminal occurrence swarm levels),\
    $(UNIT_TESTS))
READS := $(sort $(wildcard tests/reads/*.c))
# What tests/unit/refuse.c puts in the place of the library's functions, in tests of these names.
REFUSING := giving_up giving_up_lts
WRAPPED := space_must_stop space_interrupted effort_look memory_fits region_init region_init_within region_get_within \
    region_grow region_grow_within trail_read
CROSS := $(filter-out %_model.c,$(sort $(wildcard tests/cross/*.c)))

# Asserts are for builds that check: they cost nothing in the one that is used.
CHECKING ?= -O1 -g -DCHECKED
DIALECT := -std=gnu11 -D_GNU_SOURCE
asserting = $(if $(findstring -fsanitize,$(1))$(findstring -DCHECKED,$(1)),,-DNDEBUG)
INCLUDES := -Isrc -Iinclude
comma := ,
say = @printf '  %-5s %s\n' $(1) $(2)
quietly := $(if $(V),,@)

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all run test sanitized checked tables soak bench bench-lts lint format man install uninstall clean help setup setup-test setup-bench FORCE

all: build/onager ## build build/onager (the default; installs what is missing)

run: all ## set up, build, and show what the tool does
	@scripts/demo

test: setup-test ## set up, build, and run the whole test suite, also with sanitizers
	@scripts/test

sanitized: setup-test ## all tests with ASan and UBSan, those too that make test tries without them only (long)
	@scripts/test --sanitized

checked: build/checked/onager ## build/checked/onager: asserts on, and memory that can be refused (ONAGER_REFUSE=N)

tables: all ## every row of the published tables that fits in 20 GiB (long)
	tests/tables/run --all
	tests/experiments/run --all
	tests/asset/run tables

soak: all setup-test ## random models until SOAK_MINUTES (default 60) are over (long)
	@scripts/soak

bench: all setup-bench ## speed and memory, against a hand-written explorer and spin
	bench/run

bench-lts: all ## LTSs: how long minimising large ones takes, and what stubborn sets of processes gain; an hour
	bench/minimize
	bench/reductions

lint: setup ## warnings, include order, clang-format, clang-tidy, cppcheck (those that are there)
	@scripts/lint

format: ## lay out src/, include/, tests/unit and bench with clang-format
	@scripts/lint --format

man: build/onager.1 ## bring doc/onager.1 up to date with the option table
	cp build/onager.1 doc/onager.1

clean: ## remove build/
	rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo '  Variables: PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) CC=$(CC) CFLAGS="$(CFLAGS)" V=1 (show commands)'

# ---- Set-up: order-only, so that looking around never makes anything out of date ----

setup:
	@CC='$(CC)' scripts/setup build
setup-test: setup
	@CC='$(CC)' scripts/setup test
setup-bench: setup
	@CC='$(CC)' scripts/setup bench

# ---- Objects, library, program, unit tests: once plain, once with sanitizers ----

# $(1): directory, $(2): its compiler flags. The file `flags` changes when the compiler or its flags do.
define VARIANT
$(1)/FLAGS := $$(strip $(CC) $(DIALECT) $(call asserting,$(2)) $(CPPFLAGS) $(2) $(LDFLAGS))
ifneq ($$(strip $$(file <$(1)/flags)),$$($(1)/FLAGS))
$(1)/flags: FORCE
endif
$(1)/flags: | setup
	@mkdir -p $(1)
	@printf '%s\n' '$$($(1)/FLAGS)' >$$@

$(1)/obj/%.o: src/%.c $(1)/flags | setup
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(quietly)$(CC) $(DIALECT) $(call asserting,$(2)) $(INCLUDES) $(CPPFLAGS) $(2) $(WARNINGS) -MMD -MP -c -o $$@ $$<

$(1)/obj/report/web/web.o: $(wildcard src/report/web/*.js src/report/web/*.css)

$(1)/libonager.a: $(addprefix $(1)/,$(LIBRARY))
	$$(call say,AR,$$@)
	$$(quietly)rm -f $$@ && ar rcs $$@ $$^

$(1)/onager: $(addprefix $(1)/,$(OBJECTS))
	$$(call say,LD,$$@)
	$$(quietly)$(CC) $(2) $(LDFLAGS) -o $$@ $$^ $(LDLIBS)

$(1)/tests/support/%.o: tests/unit/%.c $(1)/flags | setup-test
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(quietly)$(CC) $(DIALECT) $(INCLUDES) $(CPPFLAGS) $(2) $(TEST_WARNINGS) -MMD -MP -c -o $$@ $$<

$(1)/tests/libsupport.a: $(addprefix $(1)/,$(UNIT_SUPPORT))
	@mkdir -p $$(@D)
	$$(quietly)rm -f $$@ && ar rcs $$@ $$^

$(1)/tests/unit-%: tests/unit/test_%.c $(1)/tests/libsupport.a $(1)/libonager.a $(1)/flags | setup-test
	$$(call say,CC,$$@)
	$$(quietly)$(CC) $(DIALECT) $(INCLUDES) $(CPPFLAGS) $(2) $(TEST_WARNINGS) -MMD -MP -MF $$@.d $(LDFLAGS) \
	    $$(if $$(filter $$*,$(REFUSING)),$(WRAPPED:%=-Wl$$(comma)--wrap=%)) -o $$@ $$< $(1)/tests/libsupport.a $(1)/libonager.a -lcmocka -lm $(LDLIBS)

$(1)/tests/reads: $(READS) $(wildcard tests/reads/*.h) $(1)/libonager.a $(1)/flags | setup-test
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(quietly)$(CC) $(DIALECT) $(INCLUDES) $(CPPFLAGS) $(2) $(TEST_WARNINGS) $(LDFLAGS) -o $$@ $(READS) \
	    $(1)/libonager.a $(LDLIBS)

-include $(addprefix $(1)/,$(OBJECTS:.o=.d) $(UNIT_SUPPORT:.o=.d) $(UNIT_TESTS:=.d))
endef
$(eval $(call VARIANT,build,$(CFLAGS)))
$(eval $(call VARIANT,build/asan,$(SANITIZE)))
$(eval $(call VARIANT,build/asan-all,$(SANITIZE) -DALL_ROUNDS))
$(eval $(call VARIANT,build/tsan,$(THREAD_SANITIZE)))
$(eval $(call VARIANT,build/checked,$(CHECKING)))

build/tests/cross: $(CROSS) $(wildcard tests/cross/*.h) build/flags | setup-test
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(quietly)$(CC) $(DIALECT) -Iinclude $(CPPFLAGS) $(CFLAGS) $(TEST_WARNINGS) $(LDFLAGS) -o $@ $(CROSS) -ljansson

build/onager.1: build/onager
	$(quietly)build/onager --man >$@

# What scripts/test builds for the unit tests, and all that tests need.
.PHONY: unit-tests asan-unit-tests asan-whole-unit-tests tsan-unit-tests test-programs
unit-tests: $(addprefix build/,$(UNIT_TESTS))
asan-unit-tests: $(addprefix build/asan/,$(UNIT_TESTS))
asan-whole-unit-tests: $(addprefix build/asan-all/,$(UNIT_TESTS))
tsan-unit-tests: $(addprefix build/tsan/,$(THREADED))
	@mkdir -p build/tsan/tests
	@echo $(THREADED:tests/unit-%=%) >build/tsan/tests/programs
test-programs: build/onager build/asan/onager unit-tests asan-unit-tests tsan-unit-tests $(if $(CROSS),build/tests/cross)

# ---- Installation: the program looks for its headers in ../include ----

DEST = $(DESTDIR)$(PREFIX)
COMPLETIONS = $(DEST)/share/bash-completion/completions/onager $(DEST)/share/zsh/site-functions/_onager \
    $(DEST)/share/fish/vendor_completions.d/onager.fish

install: build/onager build/onager.1 ## install into PREFIX (/usr/local), below DESTDIR if that is set
	install -d $(DEST)/bin $(DEST)/include/onager $(DEST)/share/man/man1 $(DEST)/share/onager/examples \
	    $(DEST)/share/doc/onager
	install -m 755 build/onager $(DEST)/bin/
	install -m 644 include/onager.h $(DEST)/include/
	install -m 644 include/onager/*.h $(DEST)/include/onager/
	install -m 644 build/onager.1 $(DEST)/share/man/man1/
	install -d $(dir $(COMPLETIONS))
	build/onager --completion bash >$(word 1,$(COMPLETIONS))
	build/onager --completion zsh >$(word 2,$(COMPLETIONS))
	build/onager --completion fish >$(word 3,$(COMPLETIONS))
	install -m 644 examples/*.c examples/*.fsp examples/*.hoa examples/README.md $(DEST)/share/onager/examples/
	install -m 644 LICENSE $(wildcard README.md CHANGELOG.md doc/*.md) $(DEST)/share/doc/onager/

uninstall: ## remove what install put there
	rm -f $(COMPLETIONS) $(DEST)/bin/onager $(DEST)/include/onager.h $(DEST)/share/man/man1/onager.1
	rm -rf $(DEST)/include/onager $(DEST)/share/onager $(DEST)/share/doc/onager
