/* SPDX-License-Identifier: BSD-3-Clause
 * CMake takes xmpicc for an MPI compiler, as the C compiler and as mpicc; so does clang under it.
 */
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
        cmocka_unit_test(test_clang),
    };
    return cmocka_run_group_tests(tests, fixture_make, fixture_remove);
}
