# XMPI. `make demo` and `make check` do all of their own set-up on a bare Debian machine.
#
# --- settings -------------------------------------------------------------------------------

CACHE   ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/xmpi
PREFIX  ?= /usr/local
DESTDIR ?=
LLVM    ?= 19

# The MPICH in use. By default one that `make deps` builds into the cache; MPICC=/path/to/mpicc
# takes another (its mpiexec is expected beside it), and then nothing is built.
MPICH_PREFIX := $(CACHE)/mpich-sock
MPICC        ?= $(MPICH_PREFIX)/bin/mpicc
MPIEXEC      ?= $(dir $(MPICC))mpiexec

CC           = gcc
CXX          = clang++-$(LLVM)
OPTIMIZE    ?= -O2 -g
SIMGRID     ?= $(if $(wildcard /usr/include/simgrid/s4u.hpp),yes,no)#   no: build without it; xmpi-simulate then says so
GLPK        ?= yes#   no: build without it, also where it is installed; the policy amp then says so
SANITIZE    ?=#     address,undefined: make check builds the library with it and runs the tests of it alone
# (MPICH defines MPI_STATUSES_IGNORE as an address that gcc takes for an array of no size.)
WARNINGS     = -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wno-stringop-overflow -Werror
V           ?= 0
JOBS        ?= $(shell nproc)#   so many files at a time are compiled for check and demo, and tests run
CCACHE      ?= $(shell command -v ccache)#   what was compiled before is taken from there; no: do without

# --- nothing to change below ----------------------------------------------------------------

B := build$(if $(SANITIZE),/sanitized)
VERSION := 0.1.0
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/sh

# How far it is, [n/m]: m are the steps of a dry run, which is made with the first of them. (Recipes are expanded one
# after another, also with -j.)
steps = $(eval steps := $(shell $(MAKE) -n$(findstring B,$(firstword -$(MAKEFLAGS))) --no-print-directory V=count \
                            $(MAKEOVERRIDES) $(MAKECMDGOALS) 2>/dev/null | grep -c '^: a step$$'))$(steps)
say_0 = $(eval made += step)@echo "  [$(words $(made))/$(steps)] $(1)" && 
say_1 =
say_count = : a step$(newline)
say = $(call say_$(V),$(1))
# For a make of its own: unless the user has said how many at a time.
parallel = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
comma := ,
define newline


endef

# (GCC warns of what the branches of a sanitizer seem to make possible.)
sanitize := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -Wno-error)
CFLAGS_ALL := -std=c11 $(WARNINGS) $(OPTIMIZE) $(sanitize) -fPIC -fvisibility=hidden \
              -I runtime/include -I runtime -DXMPI_IMPLEMENTATION $(if $(filter no,$(strip $(GLPK))),-DXMPI_WITHOUT_GLPK) -DXMPI_VERSION='"$(VERSION)"' -MMD -MP

# What is linked into programs with a movable loop, with its own heap.
CFLAGS_IMAGE := -std=c11 $(WARNINGS) -Wno-missing-prototypes -O2 -g -fno-pie -fno-stack-protector -U_FORTIFY_SOURCE \
                -fno-builtin-malloc -fcf-protection=none -I runtime/include -I runtime -DXMPI_IMPLEMENTATION -MMD -MP

# Other flags make old objects of the runtime wrong: they are newer than those then. (Objects that are there without it
# are taken as they are.)
flags_now := $(CFLAGS_ALL) $(CFLAGS_IMAGE)
flags_before := $(file <$(B)/obj/flags)
dry_run := $(findstring n,$(filter-out -%,$(firstword $(MAKEFLAGS))))
ifneq ($(if $(dry_run),$(flags_now),$(flags_before)),$(flags_now))
$(shell mkdir -p $(B)/obj)
$(file >$(B)/obj/flags,$(flags_now))
$(if $(flags_before),,$(shell touch -d 2000-01-01 $(B)/obj/flags))
endif
$(B)/obj/flags: ;

# (mpicc is a script: what it says of its compiler tells whether that is another. The rewriter's precompiled headers
# hold the names of folders; the sum beside them is of what they were made from.)
ccache := $(if $(filter-out no,$(CCACHE)),CCACHE_COMPILERCHECK='%compiler% -v' CCACHE_PCH_EXTSUM=1 \
            CCACHE_SLOPPINESS=pch_defines$(comma)time_macros $(CCACHE) )

# -- deps

.PHONY: deps all demo demo-built check check-built soak bench bench-model install install-profile uninstall clean
deps:
	@deps/install-packages
ifeq ($(MPICC),$(MPICH_PREFIX)/bin/mpicc)
	@mkdir -p $(CACHE)
	@deps/build-mpich $(MPICH_PREFIX)
endif

# What needs an MPI starts here: a clear word where there is none.
$(B)/bin/mpicc $(B)/bin/mpiexec:
	@mkdir -p $(@D)
	@tool=$$(command -v $(if $(filter %mpicc,$@),$(MPICC),$(MPIEXEC))) || { \
	    echo "There is no MPI at $(MPICC). Run make deps, or name one: make MPICC=/path/to/mpicc" >&2; \
	    exit 1; }; ln -sfn "$$tool" $@; \
	proxy=$$(dirname "$$(readlink -f "$$tool")")/hydra_pmi_proxy; \
	[ ! -x "$$proxy" ] || ln -sfn "$$proxy" $(@D) # mpiexec looks for it beside the link

# -- libxmpi

RUNTIME_SOURCES := $(filter-out runtime/image/%,$(wildcard runtime/*/*.c runtime/*/*/*.c runtime/*/*/*/*.c))
RUNTIME_OBJECTS := $(RUNTIME_SOURCES:runtime/%.c=$(B)/obj/runtime/%.o) $(B)/obj/gen/wrappers.o $(B)/obj/gen/again.o
# In the shared library xmpi_file_call_NAME stands for NAME of the C library (runtime/observe/files/next.h).
FILE_CALLS      := $(patsubst %,$(B)/obj/runtime/observe/files/%.o,asynchronous descriptors streams)
# What it uses beyond the system it loads when it needs it (runtime/base/process/library.h).
RUNTIME_LIBS    := -lm
HEADERS         := $(patsubst runtime/include/%,$(B)/include/%,$(wildcard runtime/include/*.h))

$(B)/obj/runtime/%.o: runtime/%.c $(B)/obj/flags | $(B)/bin/mpicc
	@mkdir -p $(@D)
	$(call say,cc $<)$(ccache)$(B)/bin/mpicc $(CFLAGS_ALL) -c $< -o $@

# One wrapper for each call in the table that the MPI in use has.
$(B)/gen/wrappers.c: runtime/observe/mpi_calls.txt runtime/observe/generate_wrappers.awk runtime/observe/translate_handles.awk | $(B)/bin/mpicc
	@mkdir -p $(@D)
	$(call say,generate $@)echo '#include <mpi.h>' | $(B)/bin/mpicc -E -P -x c - | \
	    awk -v again=$(B)/gen/again.c -f runtime/observe/translate_handles.awk -f runtime/observe/generate_wrappers.awk runtime/observe/mpi_calls.txt - >$@

$(B)/gen/again.c: $(B)/gen/wrappers.c
	@touch $@

$(B)/obj/gen/%.o: $(B)/gen/%.c | $(B)/bin/mpicc
	@mkdir -p $(@D)
	$(call say,cc $<)$(ccache)$(B)/bin/mpicc $(CFLAGS_ALL) -c $< -o $@

$(B)/obj/own_symbols: install/own_symbols.c
	@mkdir -p $(@D)
	$(call say,cc $<)$(CC) -std=gnu11 $(WARNINGS) $(OPTIMIZE) $< -o $@

$(B)/lib/libxmpi.so: $(RUNTIME_OBJECTS) $(B)/obj/own_symbols
	@mkdir -p $(@D)
	$(call say,link $@)$(B)/bin/mpicc -shared -Wl,-soname,libxmpi.so -Wl,-z,defs -Wl,-Bsymbolic-functions $(sanitize) $(RUNTIME_OBJECTS) -o $@.new \
	    $$(nm -g --defined-only $(FILE_CALLS) | sed -n 's/.* \(xmpi_file_call_\(.*\)\)$$/-Wl,--defsym,\2=\1/p') \
	    $(RUNTIME_LIBS) && $(if $(sanitize),:,$(B)/obj/own_symbols $@.new) && mv $@.new $@ # running programs keep the old one

$(B)/lib/libxmpi.a: $(RUNTIME_OBJECTS)
	@mkdir -p $(@D)
	$(call say,ar $@)rm -f $@ && ar rcs $@ $^

$(B)/include/%.h: runtime/include/%.h
	@mkdir -p $(@D)
	@cp $< $@

# -- what is linked into programs with a movable loop: one object, and the functions that it stands for

IMAGE_OBJECTS := $(patsubst runtime/%.c,$(B)/obj/runtime/%.o,$(wildcard runtime/image/*.c runtime/image/*/*.c))
$(B)/obj/runtime/image/%.o: CFLAGS_ALL := $(CFLAGS_IMAGE)

$(B)/lib/xmpi/image.o: $(IMAGE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,link $@)ld -r $^ -o $@

$(B)/lib/xmpi/image.wraps: $(B)/lib/xmpi/image.o
	$(call say,list $@)nm -g --defined-only $< | sed -n 's/.* __wrap_/--wrap=/p' | sort >$@

# -- commands

XMPICC_SOURCES := $(wildcard xmpicc/driver/*.c xmpicc/driver/*/*.c)
$(B)/obj/xmpicc/%.o: xmpicc/%.c
	@mkdir -p $(@D)
	$(call say,cc $<)$(ccache)$(CC) $(CFLAGS_ALL) -c $< -o $@

# ccache knows a compiler by its file: a new rewriter makes a new xmpicc.
$(B)/obj/xmpicc/rewriter.o: $(B)/bin/xmpi-rewrite
	@mkdir -p $(@D)
	@sum=$$(sha256sum $<) && printf 'extern const char xmpicc_rewriter[];\nconst char xmpicc_rewriter[] = "rewriter %s";\n' \
	    "$${sum%% *}" | $(CC) -x c -c - -o $@

$(B)/bin/xmpicc: $(XMPICC_SOURCES:%.c=$(B)/obj/%.o) $(B)/obj/xmpicc/rewriter.o
	@mkdir -p $(@D)
	$(call say,link $@)$(CC) $(sanitize) $^ -o $@

# The other commands: the files of their folder and its rooms, of xmpicc/tool, and the clock. (A probe is a program of its own.)
TOOL_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard xmpicc/tool/*.c)) $(B)/obj/runtime/base/process/seconds.o
tool_objects = $(patsubst %.c,$(B)/obj/%.o,$(filter-out %/probe/probe.c,$(wildcard xmpicc/$(1)/*.c xmpicc/$(1)/*/*.c))) $(TOOL_OBJECTS)
$(B)/obj/xmpicc/%.o $(B)/obj/tests/wrapper/%.o $(B)/obj/tests/cluster/%.o $(B)/obj/tests/simulate/%.o: CFLAGS_ALL += -I xmpicc

# What the library and the commands agree on, without MPI.
SHARED_OBJECTS := $(patsubst %,$(B)/obj/runtime/%.o,control/address control/directory base/status)
# What the commands have that reach jobs on other nodes.
REMOTE_OBJECTS := $(B)/obj/xmpicc/remote/remote.o

# The same command for other languages: by its name it knows which MPI command it stands for.
$(B)/bin/xmpicxx $(B)/bin/xmpifort: $(B)/bin/xmpicc
	@ln -sfn xmpicc $@

$(B)/bin/xmpictl: $(call tool_objects,ctl) $(REMOTE_OBJECTS) $(SHARED_OBJECTS)
	@mkdir -p $(@D)
	$(call say,link $@)$(CC) $(sanitize) $^ -o $@ -lcjson

# What tells of nodes without a process of the program; it has nothing of MPI either.
$(B)/lib/xmpi/xmpi-agent: $(B)/obj/xmpicc/agent/main.o $(B)/lib/libxmpi.a
	@mkdir -p $(@D)
	$(call say,link $@)$(CC) $(sanitize) $^ -o $@ -lm

$(B)/bin/xmpi-share: $(call tool_objects,share) $(REMOTE_OBJECTS) $(B)/lib/libxmpi.a
	@mkdir -p $(@D)
	$(call say,link $@)$(CC) $(sanitize) $^ -o $@ -lcjson -lm

# (The settings are in the library; nothing of MPI comes with them.)
$(B)/bin/xmpirun: $(call tool_objects,run) $(B)/lib/libxmpi.a
	@mkdir -p $(@D)
	$(call say,link $@)$(CC) $(sanitize) $^ -o $@ -lcjson -lm

$(B)/bin/xmpi-report: $(call tool_objects,report)
	@mkdir -p $(@D)
	$(call say,link $@)$(CC) $(sanitize) $^ -o $@ -lcjson

# It uses what the runtime has of calibrations, and starts a program that measures with MPI.
$(B)/bin/xmpi-calibrate: $(call tool_objects,calibrate) $(B)/lib/libxmpi.a
	@mkdir -p $(@D)
	$(call say,link $@)$(CC) $(sanitize) $^ -o $@ -lcjson -lm

$(B)/obj/xmpicc/calibrate/probe/%.o: xmpicc/calibrate/probe/%.c | $(B)/bin/mpicc
	@mkdir -p $(@D)
	$(call say,cc $<)$(ccache)$(B)/bin/mpicc $(CFLAGS_ALL) -c $< -o $@

$(B)/lib/xmpi/calibration-probe: $(B)/obj/xmpicc/calibrate/probe/probe.o $(B)/lib/libxmpi.a
	@mkdir -p $(@D)
	$(call say,link $@)$(B)/bin/mpicc $(sanitize) $^ -o $@ $(RUNTIME_LIBS)

$(B)/bin/xmpi-info: $(call tool_objects,info) $(B)/lib/libxmpi.a
	@mkdir -p $(@D)
	$(call say,link $@)$(CC) $(sanitize) $^ -o $@ -lpapi -lhwloc -lcjson -lm

$(B)/obj/xmpicc/info/probe/%.o: xmpicc/info/probe/%.c | $(B)/bin/mpicc
	@mkdir -p $(@D)
	$(call say,cc $<)$(ccache)$(B)/bin/mpicc $(CFLAGS_ALL) -c $< -o $@

$(B)/lib/xmpi/info-probe: $(B)/obj/xmpicc/info/probe/probe.o $(B)/lib/libxmpi.a
	@mkdir -p $(@D)
	$(call say,link $@)$(B)/bin/mpicc $(sanitize) $^ -o $@ $(RUNTIME_LIBS)

# What touches SimGrid is C++. (What stands for it where it is missing is compiled everywhere.)
SIMULATE_NETWORK := $(B)/obj/xmpicc/simulate/network/$(if $(filter no,$(strip $(SIMGRID))),missing,simgrid).o
SIMULATE_OBJECTS := $(filter-out %/missing.o,$(call tool_objects,simulate)) $(SIMULATE_NETWORK)
$(B)/obj/xmpicc/simulate/network/simgrid.o: xmpicc/simulate/network/simgrid.cpp
	@mkdir -p $(@D)
	$(call say,c++ $<)$(ccache)$(CXX) -std=c++17 -Wall -Wextra -Werror $(OPTIMIZE) $(sanitize) -I runtime -I xmpicc -MMD -MP -c $< -o $@

$(B)/bin/xmpi-simulate: $(SIMULATE_OBJECTS) $(B)/lib/libxmpi.a | $(B)/obj/xmpicc/simulate/network/missing.o
	@mkdir -p $(@D)
	$(call say,link $@)$(CC) $(sanitize) $^ -o $@ $(if $(filter no,$(strip $(SIMGRID))),,-lsimgrid -lstdc++) -lcjson -lm

SCENARIOS := $(patsubst %,share/xmpi/%,$(wildcard scenarios/*))
$(B)/share/xmpi/scenarios/%: scenarios/%
	@mkdir -p $(@D) && cp $< $@

# The page of xmpi-report: one file, bundled from what package-lock.json names.
PAGE_SOURCES := $(wildcard xmpicc/report/page/*.json xmpicc/report/page/*.mjs xmpicc/report/page/src/*)
$(B)/share/xmpi/report.html: $(PAGE_SOURCES)
	@mkdir -p $(B)/obj/report-page && cp -r xmpicc/report/page/. $(B)/obj/report-page
	$(call say,bundle $@)cd $(B)/obj/report-page && { npm ci --ignore-scripts --silent && \
	    node build.mjs "$(CURDIR)/$(@D)"; } || { echo "The page of xmpi-report needs npm and its registry" >&2; exit 1; }

$(B)/share/xmpi/report-svg.mjs $(B)/share/xmpi/simulate-svg.mjs: $(B)/share/xmpi/report.html ;

# The rewriter needs LLVM's own flags; its warnings are for our code, not for LLVM's headers. These are read
# once, by the compiler that they come with: each file takes a quarter of the time then. (It names them by the folder
# where that was done, which is another one for what ccache has, and may be gone.)
LLVM_CONFIG := llvm-config-$(LLVM)
REWRITER_SOURCES := $(wildcard rewriter/*.cpp rewriter/*/*.cpp)
rewriter_flags = -std=c++17 -Irewriter -Wall -Wextra -Wno-deprecated-declarations -Werror -fno-rtti -fno-exceptions -O1 \
	    -isystem $$($(LLVM_CONFIG) --includedir) -D__STDC_CONSTANT_MACROS -D__STDC_LIMIT_MACROS -D_GNU_SOURCE \
	    -DXMPI_RESOURCE_DIR="\"$$(clang-$(LLVM) -print-resource-dir)\"" -DXMPI_VERSION='"$(VERSION)"'
PRECOMPILED := $(B)/obj/rewriter/precompiled.pch

$(PRECOMPILED): rewriter/precompiled.h
	@mkdir -p $(@D)
	$(call say,c++ $<)$(CXX) $(rewriter_flags) -fpch-instantiate-templates -x c++-header $< -o $@
	@$(if $(ccache),$(CXX) $(rewriter_flags) -E -x c++ $< | sha256sum >$@.sum)

$(B)/obj/rewriter/%.o: rewriter/%.cpp $(PRECOMPILED)
	@mkdir -p $(@D)
	$(call say,c++ $<)$(ccache)$(CXX) $(rewriter_flags) -include-pch $(PRECOMPILED) -MMD -MP -c $< -o $@
	@sed -i 's|[^ ]*/rewriter/precompiled\.h|rewriter/precompiled.h|' $(@:.o=.d)

# Archives of LLVM, where they are: no relocation is left to be done whenever it starts, which takes longer than many a
# file (build/bin/xmpi-rewrite --version: 0.03 s of the processor and 600 page faults, with the shared libraries 0.12 s
# and 3,500).
CLANG_ARCHIVES  := ToolingInclusions Tooling ToolingCore Frontend Driver Serialization Parse Sema Analysis Edit AST \
		   ASTMatchers Rewrite Format Lex Basic APINotes Support
LLVM_COMPONENTS := frontendopenmp option targetparser windowsdriver support core bitreader mcparser native object
rewriter_libraries = libraries=$$($(LLVM_CONFIG) --libdir); \
	if [ -e $$libraries/libclangTooling.a ] && [ -e $$($(LLVM_CONFIG) --bindir)/ld.lld ]; then \
	    echo -no-pie -fuse-ld=lld -Wl,--gc-sections,-O1,-S,--as-needed -L$$libraries $(CLANG_ARCHIVES:%=-lclang%) \
	        $$($(LLVM_CONFIG) --link-static --libs --system-libs $(LLVM_COMPONENTS)) -ltinfo; \
	else echo -L$$libraries -Wl,-rpath,$$libraries -lclang-cpp -lLLVM-$(LLVM); fi

$(B)/bin/xmpi-rewrite: $(REWRITER_SOURCES:%.cpp=$(B)/obj/%.o)
	@mkdir -p $(@D)
	$(call say,link $@)$(CXX) $^ -o $@ $$($(rewriter_libraries))

all: $(B)/bin/mpicc $(B)/bin/mpiexec $(B)/bin/xmpicc $(B)/bin/xmpicxx $(B)/bin/xmpifort $(B)/bin/xmpi-rewrite \
     $(B)/bin/xmpi-calibrate $(B)/lib/xmpi/calibration-probe $(B)/bin/xmpi-info $(B)/lib/xmpi/info-probe \
     $(B)/bin/xmpirun $(B)/bin/xmpictl $(B)/bin/xmpi-share $(B)/bin/xmpi-report $(B)/bin/xmpi-simulate $(B)/share/xmpi/report.html $(B)/share/xmpi/report-svg.mjs \
     $(B)/share/xmpi/simulate-svg.mjs \
     $(SCENARIOS:%=$(B)/%) $(B)/lib/libxmpi.so $(B)/lib/libxmpi.a $(B)/lib/xmpi/image.o $(B)/lib/xmpi/image.wraps $(B)/lib/xmpi/xmpi-slurm $(B)/lib/xmpi/xmpi-agent $(HEADERS)

$(B)/lib/xmpi/xmpi-slurm: xmpicc/slurm/xmpi-slurm
	@mkdir -p $(@D)
	@install -m 755 $< $@

# -- tests: every test_*.c of a folder of tests, or of a room of it, is a program of its own

SUPPORT_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/support/*.c))
TEST_SOURCES := $(wildcard tests/*/test_*.c tests/*/*/test_*.c)
TESTS := $(TEST_SOURCES:%.c=$(B)/%)
ifneq ($(SANITIZE),)
# Not those that load a library of their own before that of the sanitizer, those that watch memory, which the
# sanitizer keeps, and the one that looks at what the library shows. (A cancelled thread has no frames left on its
# stack: ASan does not know it.)
TESTS := $(filter-out %/test_messages %/test_not_alone %/test_same_calls %/test_kills %/test_soak %/test_no_memory %/test_slides %/test_headers,$(filter $(B)/tests/unit/% $(B)/tests/mpi/%,$(TESTS)))
export ASAN_OPTIONS := use_sigaltstack=0
endif

$(B)/obj/tests/%.o: tests/%.c | $(B)/bin/mpicc
	@mkdir -p $(@D)
	$(call say,cc $<)$(ccache)$(B)/bin/mpicc $(CFLAGS_ALL) -I tests -I examples/common -c $< -o $@

# The static library: tests may look inside, and no MPI is started where none is needed.
$(B)/tests/%: $(B)/obj/tests/%.o $(SUPPORT_OBJECTS) $(B)/lib/libxmpi.a
	@mkdir -p $(@D)
	$(call say,link $@)$(B)/bin/mpicc $(sanitize) $^ -o $@ -lcmocka -lcjson -lglpk $(RUNTIME_LIBS)

# What looks at the page of xmpi-report in a browser.
$(B)/tests/report/look.mjs: tests/report/look.mjs tests/report/package-lock.json
	@mkdir -p $(@D) && cp tests/report/package.json tests/report/package-lock.json $(@D)
	$(call say,npm $(@D))cd $(@D) && npm ci --ignore-scripts --silent
	@cp $< $@

$(B)/tests/report/test_report: | $(B)/tests/report/look.mjs
$(B)/tests/cluster/test_load $(B)/tests/cluster/test_swap $(B)/tests/bench/papers/swap $(B)/tests/bench/papers/confirm: | $(B)/tests/cluster/load

check: deps
	@deps/install-packages packages-check packages-slurm
	@$(MAKE) $(parallel) --no-print-directory check-built

check-built: all $(TESTS)
	@XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" SANITIZE_FLAGS='$(sanitize)' tests/run -j $(JOBS) $(TESTS)

# A thousand changes of members with spawned processes, as many of arrays that are out of core, 20,000 bad requests that are answered, and 10,000 times each that all objects of MPI are made again, hundreds of moves of programs in many styles, 10,000 of one, and 200 sizes of each program that starts over, with both backends: minutes, with the last two an hour and more.
SOAKS := $(B)/tests/slurm/test_slurm $(B)/tests/mpi/test_soak $(B)/tests/mpi/test_outofcore $(B)/tests/mpi/test_row_files $(B)/tests/control/test_hostile $(B)/tests/mpi/test_kills $(B)/tests/mpi/test_handles $(B)/tests/mpi/test_no_memory $(B)/tests/movable/test_languages $(B)/tests/movable/test_styles
LADDER_SOAK := $(B)/tests/startover/test_ladder
soak: all $(SOAKS) $(LADDER_SOAK)
	@SOAK=1000 XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" tests/run $(SOAKS)
	@SOAK=200 XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" tests/run $(LADDER_SOAK)

# MPICH's own test suite, with mpicc and with XMPI: hours. make suite SUITE=coll runs a slice of it.
SUITE ?=
.PHONY: suite
suite: all
	@CACHE="$(CACHE)" XMPI_BUILD="$(CURDIR)/$(B)" nice tests/suite/run $(SUITE)

# -- the rewriter on arbitrary text, by libFuzzer: make fuzz FUZZ_SECONDS=600

FUZZ_SECONDS ?= 600
FUZZ_OBJECTS := $(patsubst %.cpp,$(B)/obj/fuzz/%.o,$(filter-out rewriter/main.cpp,$(REWRITER_SOURCES)) \
                  tests/fuzz/fuzz_rewriter.cpp)
.PHONY: fuzz fuzz-built
fuzz:
	@deps/install-packages packages-fuzz
	@$(MAKE) --no-print-directory fuzz-built

fuzz-built: $(B)/fuzz/fuzz_rewriter
	@mkdir -p $(B)/fuzz/corpus
	@for file in tests/rewriter/cases/*.c tests/rewriter/errors/*.c tests/programs/*.c; do \
	    cp $$file $(B)/fuzz/corpus/$$(echo $$file | tr / -); done
	@cd $(B)/fuzz && ./fuzz_rewriter -max_total_time=$(FUZZ_SECONDS) -timeout=120 -rss_limit_mb=4096 \
	    -only_ascii=1 -close_fd_mask=2 -max_len=6000 -dict="$(CURDIR)/tests/fuzz/pragmas.dict" corpus

$(B)/obj/fuzz/%.o: %.cpp
	@mkdir -p $(@D)
	$(call say,c++ $< (fuzz))clang++-$(LLVM) -std=c++17 -Irewriter -O1 -g1 -fno-rtti -fno-exceptions -MMD -MP \
	    -include rewriter/precompiled.h -fsanitize=fuzzer-no-link -isystem $$($(LLVM_CONFIG) --includedir) -D__STDC_CONSTANT_MACROS \
	    -D__STDC_LIMIT_MACROS -D_GNU_SOURCE -DFUZZ_INCLUDE="\"$(CURDIR)/tests/fuzz/include\"" \
	    -DXMPI_RESOURCE_DIR="\"$$(clang-$(LLVM) -print-resource-dir)\"" -DXMPI_VERSION='"$(VERSION)"' -c $< -o $@

$(B)/fuzz/fuzz_rewriter: $(FUZZ_OBJECTS)
	@mkdir -p $(@D)
	$(call say,link $@)clang++-$(LLVM) -fsanitize=fuzzer $^ -o $@ -L$$($(LLVM_CONFIG) --libdir) \
	    -Wl,-rpath,$$($(LLVM_CONFIG) --libdir) -lclang-cpp -lLLVM-$(LLVM)

# -- the rewriter and the runtime on programs that are generated: make fuzz-programs FUZZ_SECONDS=600 SEED=1

SEED ?= 1
PROGRAM_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/fuzz/generate_program*.c) tests/fuzz/judge_program.c tests/fuzz/build_program.c)
$(B)/tests/fuzz/run_programs $(B)/tests/fuzz/test_generated: $(PROGRAM_OBJECTS)
$(B)/tests/fuzz/run_programs: $(B)/obj/tests/fuzz/reduce_program.o $(B)/obj/tests/fuzz/tally_programs.o
.PHONY: fuzz-programs fuzz-programs-built
fuzz-programs:
	@deps/install-packages packages-fuzz
	@$(MAKE) --no-print-directory fuzz-programs-built

fuzz-programs-built: all $(B)/tests/fuzz/run_programs
	@XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" FUZZ_SECONDS=$(FUZZ_SECONDS) nice $(B)/tests/fuzz/run_programs fuzz $(SEED)

# -- the demonstration and the measurements

DEMO := $(B)/tests/cluster/demonstration/demo
DEMO_OBJECTS := $(patsubst %,$(B)/obj/tests/cluster/demonstration/%.o,demo_trace demo_cluster)
$(DEMO): $(DEMO_OBJECTS)

demo: deps
	@$(MAKE) $(parallel) --no-print-directory demo-built

# A job in a real Slurm on this machine: grows into idle nodes, gives them back, leaves a drained one.
.PHONY: demo-slurm
demo-slurm: deps
	@deps/install-packages packages-slurm
	@$(MAKE) $(parallel) --no-print-directory demo-slurm-built

demo-slurm-built: all
	@tests/slurm/demo $(B)

demo-built: all $(DEMO)
	@XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" $(DEMO)

BENCHES := $(patsubst %.c,$(B)/%,$(wildcard tests/bench/bench_*.c tests/bench/*/bench_*.c))
$(B)/tests/bench/decide/bench_mheta $(B)/tests/bench/papers/spectra: $(B)/obj/tests/bench/decide/anchors.o
# The longer measurements of the prediction model: Table 6.8 and Figs 6.9 to 6.12 of the thesis.
bench-model: all $(B)/tests/bench/papers/thesis_model
	@XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" $(B)/tests/bench/papers/thesis_model

# Predicted beside measured times of programs whose data do not fit: a quarter of an hour (PARTS=DC: one cluster).
.PHONY: bench-mheta
bench-mheta: all $(B)/tests/bench/papers/spectra
	@XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" $(B)/tests/bench/papers/spectra $(PARTS)

bench: all $(BENCHES)
	@XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" tests/bench/run $(BENCHES)

# The thesis's experiments with load balancing: a quarter of an hour, so not part of bench.
THESIS := $(B)/tests/bench/papers/thesis_balance
.PHONY: bench-thesis
bench-thesis: all $(THESIS)
	@XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" $(THESIS) $(PARTS)

# Tables of the figures that were measured (PARTS=thesis.case: for one of cases, as tests/bench/table says).
.PHONY: bench-table
bench-table:
	@XMPI_BUILD="$(CURDIR)/$(B)" tests/bench/table $(PARTS)

# The long measurements, three times each (or TIMES), with medians and ranges: two hours.
LONG := $(B)/tests/bench/papers/thesis_balance $(B)/tests/bench/papers/thesis_model $(B)/tests/bench/papers/policies
.PHONY: bench-again
bench-again: all $(LONG)
	@for bench in $(LONG); do \
	    XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" tests/bench/again $(or $(TIMES),3) "$$bench" || exit; \
	done

# The malleability policies take a quarter of an hour.
.PHONY: bench-policies
bench-policies: all $(B)/tests/bench/papers/policies
	@XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" $(B)/tests/bench/papers/policies

# Process swapping on the emulated cluster: some minutes.
.PHONY: bench-swap
bench-swap: all $(B)/tests/bench/papers/swap
	@XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" $(B)/tests/bench/papers/swap $(PARTS)

# Programs on the emulated cluster beside their simulations: a minute or two.
.PHONY: bench-confirm
bench-confirm: all $(B)/tests/bench/papers/confirm
	@XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" $(B)/tests/bench/papers/confirm

.PHONY: bench-migrate
bench-migrate: all $(B)/tests/bench/papers/migrate
	@XMPI_BUILD="$(CURDIR)/$(B)" XMPI_SOURCE="$(CURDIR)" $(B)/tests/bench/papers/migrate $(PARTS)

# -- installation: the MPI that the library was built for is remembered as lib/xmpi/mpicc

COMMANDS  := xmpicc xmpicxx xmpifort xmpirun xmpictl xmpi-share xmpi-report xmpi-simulate xmpi-calibrate xmpi-info
MAN_PAGES := $(COMMANDS:%=$(B)/share/man/man1/%.1)
FILLED    := lib/pkgconfig/xmpi.pc lib/cmake/XMPI/XMPIConfig.cmake lib/cmake/XMPI/XMPIConfigVersion.cmake \
             share/xmpi/xmpi.conf
INSTALLED := $(COMMANDS:%=bin/%) bin/xmpi-rewrite lib/libxmpi.so lib/libxmpi.a include/xmpi.h include/xmpi_gen.h \
             lib/xmpi/image.o lib/xmpi/image.wraps \
             lib/xmpi/calibration-probe lib/xmpi/info-probe lib/xmpi/xmpi-slurm lib/xmpi/xmpi-agent share/xmpi/report.html share/xmpi/report-svg.mjs share/xmpi/simulate-svg.mjs \
             $(SCENARIOS) $(COMMANDS:%=share/man/man1/%.1)
LINKED    := lib/xmpi/mpicc lib/xmpi/mpiexec
COMPLETED := $(filter-out xmpicc xmpicxx xmpifort,$(COMMANDS))
COMPLETION := share/bash-completion/completions

# (With quotes, as there may be spaces in it.)
to := "$(DESTDIR)$(PREFIX)"

# A command's --help is its man page.
$(B)/share/man/man1/%.1: $(B)/bin/%
	@mkdir -p $(@D)
	$(call say,man $@)help2man --no-info --no-discard-stderr --source="XMPI $(VERSION)" --version-string=$(VERSION) \
	    --name="$$(sed -n "s/^$*  *//p" install/man-titles)" --output=$@ $<

# The MPI's own commands beside ours, but for what is there already; mpiexec looks for its proxy beside it. (A
# prefix of the distribution's has its own.) Whoever cannot read the MPI cannot use XMPI.
OF_MPI := mpicc mpicxx mpic++ mpifort mpif77 mpif90 mpiexec hydra_pmi_proxy
define link_mpi
mkdir -p $(to)/bin; mpi=$$(dirname "$$(readlink -f $(B)/bin/mpicc)"); for name in $(OF_MPI); do \
    [ ! -x "$$mpi/$$name" ] || [ -e $(to)/bin/$$name ] || ln -sfn "$$mpi/$$name" $(to)/bin/$$name; done; \
folder=$$mpi; while [ "$$folder" != / ]; do \
    case $$(stat -c %A "$$folder") in *x|*t) folder=$$(dirname "$$folder");; \
    *) echo "warning: other users cannot read $$folder, where the MPI is: make deps install CACHE=/opt/xmpi, or MPICC=..." >&2; \
       break;; esac; done
endef

# (A file that tells where all is would tell it of whatever folder it is read in.)
absolute = $(if $(filter /%,$(firstword $(PREFIX))),,$(error PREFIX=$(PREFIX) has to begin with /))

# The folders of what is installed, from the prefix (".") on; and where those are listed that were not
# there before, which go again when nothing else is in them. (A package has its own list.)
OWN_FILES := $(INSTALLED) $(FILLED) $(LINKED) $(COMPLETED:%=$(COMPLETION)/%)
MADE      := lib/xmpi/folders
folders = for file in $(OWN_FILES); do while [ $$file != . ]; do file=$$(dirname $$file); echo $$file; done; done | sort -u

install: all $(MAN_PAGES)
	@$(absolute)$(if $(DESTDIR),:,made=$$($(folders) | while read -r folder; do [ -d $(to)/$$folder ] || echo $$folder; done); \
	    [ -z "$$made" ] || { mkdir -p $(to)/$(dir $(MADE)) && echo "$$made" >>$(to)/$(MADE); })
	@set -e; for file in $(INSTALLED); do \
	    mode=644; case $$file in bin/*|*-probe|*-slurm|*.so) mode=755;; esac; \
	    install -D -m $$mode $(B)/$$file $(to)/$$file; done
	@set -e; for file in $(FILLED); do mkdir -p "$$(dirname $(to)/$$file)"; \
	    sed -e 's|@PREFIX@|$(PREFIX)|g; s|@VERSION@|$(VERSION)|g' -e "s|@MPICC@|$$(readlink -f $(B)/bin/mpicc)|" \
	    install/$$(basename $$file).in >$(to)/$$file; done
	@mkdir -p $(to)/lib/xmpi $(to)/$(COMPLETION)
	@install -m 644 install/xmpi.bash-completion $(to)/$(COMPLETION)/xmpictl
	@for name in $(filter-out xmpictl,$(COMPLETED)); do ln -sfn xmpictl $(to)/$(COMPLETION)/$$name; done
	@$(if $(filter /usr,$(PREFIX)),:,$(link_mpi))
	@for link in $(LINKED); do ln -sfn "$$(readlink -f $(B)/bin/$$(basename $$link))" $(to)/$$link; done
	@echo "installed in $(DESTDIR)$(PREFIX); the MPI is $$(readlink -f $(B)/bin/mpicc)"

# mpicc -profile=xmpi finds its file in the MPI's own folder.
install-profile: install
	@folder=$$(sed -n 's/^sysconfdir=//p' $(B)/bin/mpicc | tr -d '"'); mkdir -p "$$folder" && \
	    cp $(to)/share/xmpi/xmpi.conf "$$folder/xmpi.conf" && echo "installed $$folder/xmpi.conf"

uninstall:
	@$(absolute)mpi=$$(dirname "$$(readlink -f $(to)/lib/xmpi/mpicc)"); for name in $(OF_MPI); do \
	    [ "$$(readlink $(to)/bin/$$name)" != "$$mpi/$$name" ] || rm $(to)/bin/$$name; done
	@made=$$(cat $(to)/$(MADE) 2>/dev/null); for file in $(OWN_FILES) $(MADE); do rm -f $(to)/$$file; done; \
	for folder in $$(printf '%s\n' $$made lib/xmpi share/xmpi/scenarios share/xmpi lib/cmake/XMPI | sort -ru); do \
	    folder=$(to)/$$folder; [ ! -d $$folder ] || rmdir --ignore-fail-on-non-empty $${folder%/.}; done

# A Debian package for Debian's own MPICH; check-deb installs it in a clean root. (The rewriter has
# nothing of MPI in it, and need not be compiled again.)
DEB := build/deb
.PHONY: deb check-deb
deb: $(B)/bin/xmpi-rewrite
	@command -v mpicc.mpich >/dev/null || { echo "make deb needs Debian's MPICH: apt-get install libmpich-dev mpich" >&2; exit 1; }
	@rm -rf $(DEB)/root && mkdir -p $(DEB)/obj && ln -sfn ../../obj/rewriter $(DEB)/obj/rewriter
	@$(MAKE) --no-print-directory B=$(DEB) MPICC=$$(command -v mpicc.mpich) MPIEXEC=$$(command -v mpiexec.mpich) PREFIX=/usr DESTDIR="$(CURDIR)/$(DEB)/root" install >/dev/null
	@install/build-deb "$(CURDIR)/$(DEB)" $(VERSION)

check-deb: deb
	@install/check-deb $(DEB)/xmpi_$(VERSION)_*.deb tests/control/programs/patient.c

clean:
	rm -rf $(B)

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
