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
        cmocka_unit_test(test_clang),
    };
    return cmocka_run_group_tests(tests, fixture_make, fixture_remove);
}
