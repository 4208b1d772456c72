/* SPDX-License-Identifier: BSD-3-Clause
 * CMake takes xmpicc for an MPI compiler, as the C compiler and as mpicc; so do autoconf, automake,
 * and clang under it. */
#define _GNU_SOURCE
#include "wrapper/fixture.h"

static const char lists[] = "cmake_minimum_required(VERSION 3.13)\n"
                            "project(adaptive C)\n"
                            "find_package(MPI REQUIRED COMPONENTS C)\n"
                            "add_executable(prog adaptive.c)\n"
                            "target_link_libraries(prog MPI::MPI_C)\n";

static void need_cmake(const fixture_t *f)
{
    command_t command = sh(f, "cmake --version");
    int status = command.status;
    command_free(&command);
    if (status != 0)
        skip();
}

static void test_cmake_with_xmpicc_as_the_compiler(void **state)
{
    const fixture_t *f = *state;
    need_cmake(f);
    put(f, "CMakeLists.txt", lists);
    sh_good(f, "cmake -S . -B built -DCMAKE_C_COMPILER=$X -DCMAKE_BUILD_TYPE=Debug && "
               "cmake --build built && built/prog | grep -q '^runtime' && "
               "nm built/prog | grep -q xmpi_rewritten");
    sh_good(f, "! cmake --build built | grep -q 'Building C object'");
    sh_good(f, "touch -d '+1 minute' local.h; "
               "test $(cmake --build built | grep -c 'Building C object') = 1");
    assert_no_leftovers(f);
}

/* With xmpicc named as the MPI compiler wrapper, gcc compiles and links what xmpicc -show says. */
static void test_cmake_with_xmpicc_as_the_wrapper(void **state)
{
    const fixture_t *f = *state;
    need_cmake(f);
    put(f, "CMakeLists.txt", lists);
    put(f, "adaptive.c", plain_source);
    sh_good(f, "cmake -S . -B wrapped -DCMAKE_C_COMPILER=gcc -DMPI_C_COMPILER=$X && "
               "cmake --build wrapped && wrapped/prog | grep -q '^runtime'");
    put(f, "adaptive.c", adaptive_source);
}

/* What configure scripts do: probe the compiler, look for MPI, write a makefile. */
static const char configure[] =
    "#!/bin/sh\n"
    "set -e\n"
    "CC=${CC:-cc}\n"
    "mkdir conf.$$ && cd conf.$$\n"
    "probe() { if \"$@\" >>config.log 2>&1; then echo yes; else echo no; fi; }\n"
    "echo 'int main(void) { return 0; }' >conftest.c\n"
    "echo \"default output: $(probe $CC conftest.c && ls a.out)\"\n"
    "echo \"runs: $(probe ./a.out)\"\n"
    "echo \"object: $(probe $CC -c conftest.c && ls conftest.o)\"\n"
    "printf '#ifndef __GNUC__\\n choke me\\n#endif\\n' >conftest.c\n"
    "echo \"gnu: $(probe $CC -c conftest.c)\"\n"
    "echo 'int f(void) { return nonsense; }' >conftest.c\n"
    "echo \"refuses nonsense: $(probe $CC -c conftest.c)\"\n"
    "printf '#include <mpi.h>\\nint main(int c, char **v) { return MPI_Init(&c, &v); }\\n' "
    ">conftest.c\n"
    "echo \"mpi.h: $($CC -E conftest.c 2>>config.log | grep -c '[^_]MPI_Init(' >/dev/null && echo "
    "yes)\"\n"
    "echo \"links MPI_Init: $(probe $CC -o conftest conftest.c)\"\n"
    "cd .. && rm -r conf.$$\n"
    "printf 'prog: adaptive.o\\n\\t%s -o $@ $^\\nadaptive.o: adaptive.c\\n\\t%s -g -O2 -c $<\\n' "
    "\"$CC\" \"$CC\" >Makefile.conf\n";

static void test_configure(void **state)
{
    const fixture_t *f = *state;
    put(f, "configure", configure);
    command_t command = sh(f, "CC=\"$X\" sh ./configure && make -s -f Makefile.conf prog && "
                              "./prog | grep -q '^runtime' && nm prog | grep -q xmpi_rewritten");
    if (command.status != 0)
        print_error("%s%s", command.out, command.err);
    assert_int_equal(command.status, 0);
    assert_string_equal(command.out, "default output: yes\na.out\nruns: yes\nobject: yes\n"
                                     "conftest.o\ngnu: yes\nrefuses nonsense: no\nmpi.h: yes\n"
                                     "links MPI_Init: yes\n");
    command_free(&command);
    assert_no_leftovers(f);
}

/* A project of autoconf's and automake's, from its sources to the tarball that builds and tests
 * itself out of a folder where nothing can be written. */
static void put_project(const fixture_t *f)
{
    sh_good(f, "mkdir -p project && cp adaptive.c local.h project && "
               "echo 'int other(void); int other(void) { return 3; }' >project/other.c");
    put(f, "project/configure.ac",
        "AC_INIT([project], [1.0])\n"
        "AM_INIT_AUTOMAKE([foreign])\n"
        "AC_CONFIG_HEADERS([config.h])\n"
        "AC_PROG_CC\n"
        "AC_CHECK_HEADERS([mpi.h], [], [AC_MSG_ERROR([no mpi.h])])\n"
        "AC_CHECK_FUNC([MPI_Init], [], [AC_MSG_ERROR([MPI_Init does not link])])\n"
        "AC_CONFIG_FILES([Makefile])\n"
        "AC_OUTPUT\n");
    put(f, "project/Makefile.am",
        "bin_PROGRAMS = prog\n"
        "prog_SOURCES = adaptive.c other.c local.h\n"
        "TESTS = run.test\n"
        "EXTRA_DIST = run.test\n"
        "CLEANFILES = output\n");
    put(f, "project/run.test", "#!/bin/sh\n./prog >output && grep '^runtime' output\n");
    sh_good(f, "chmod +x project/run.test && cd project && autoreconf -i");
}

static void need_automake(const fixture_t *f)
{
    command_t command = sh(f, "autoreconf --version && automake --version");
    int status = command.status;
    command_free(&command);
    if (status != 0)
        skip();
}

static void test_automake(void **state)
{
    const fixture_t *f = *state;
    need_automake(f);
    put_project(f);
    sh_good(f, "export CC=\"$X\"; cd project && ./configure -q && make -s -j8 check && "
               "nm prog | grep -q xmpi_rewritten && make -s distclean");
    sh_good(f, "export CC=\"$X\"; mkdir project/elsewhere && cd project/elsewhere && "
               "../configure -q && make -s check && nm prog | grep -q xmpi_rewritten && "
               "grep -q '../local.h' .deps/adaptive.Po && ! grep -F $TMPDIR .deps/adaptive.Po && "
               "touch -d '+1 minute' ../local.h && make | grep -q 'adaptive.c' && "
               "make -s distcheck");
    assert_no_leftovers(f);
}

/* automake refuses folders with blanks in their names; autoconf alone does not. */
static void test_autoconf_among_blanks(void **state)
{
    const fixture_t *f = *state;
    need_automake(f);
    sh_good(f, "mkdir -p 'a project' && cp adaptive.c local.h 'a project'");
    put(f, "a project/configure.ac",
        "AC_INIT([project], [1.0])\nAC_PROG_CC\n"
        "AC_CHECK_FUNC([MPI_Init], [], [AC_MSG_ERROR([MPI_Init does not link])])\n"
        "AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n");
    put(f, "a project/Makefile.in",
        "CC = @CC@\nCFLAGS = @CFLAGS@\n"
        "prog: adaptive.o\n\t$(CC) -o $@ $^\n"
        "adaptive.o: adaptive.c local.h\n\t$(CC) $(CFLAGS) -c $<\n");
    sh_good(f, "export CC=\"$X\"; cd 'a project' && autoconf && ./configure -q && make -s && "
               "./prog | grep -q '^runtime' && nm prog | grep -q xmpi_rewritten");
    assert_no_leftovers(f);
}

static void test_clang(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "export MPICH_CC=clang-19; $X -g -MMD -MF deps -c adaptive.c && "
               "nm adaptive.o | grep -q xmpi_rewritten && "
               "readelf --debug-dump=info adaptive.o | grep -q 'DW_AT_name.*: adaptive.c$' && "
               "! { strings -a adaptive.o | grep -F $TMPDIR; } && ! grep -F $TMPDIR deps && "
               "$X adaptive.o -o prog && ./prog | grep -q ^runtime");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cmake_with_xmpicc_as_the_compiler),
        cmocka_unit_test(test_cmake_with_xmpicc_as_the_wrapper),
        cmocka_unit_test(test_configure),
        cmocka_unit_test(test_automake),
        cmocka_unit_test(test_autoconf_among_blanks),
        cmocka_unit_test(test_clang),
    };
    return cmocka_run_group_tests(tests, fixture_make, fixture_remove);
}
