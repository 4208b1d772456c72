/* SPDX-License-Identifier: BSD-3-Clause
 * Tests that the public headers stand alone, in C and C++, and that the library shows what they
 * declare and MPI's names, and nothing else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "support/command.h"

static void must_compile(const char *compiler, const char *flags, const char *suffix,
                         const char *header, const char *body)
{
    char *dir = scratch_make();
    command_t result = command_shell(
        dir, 60,
        "echo '#include <%s>\nint main(void) { %s }' >program.%s && "
        "MPICH_CC=%s '%s'/bin/mpicc %s -Wall -Wextra -Werror -pedantic-errors -I'%s'/include "
        "program.%s -o program -L'%s'/lib -lxmpi",
        header, body, suffix, compiler, build_dir(), flags, build_dir(), suffix, build_dir());
    if (result.status != 0)
        fail_msg("%s %s %s: %s%s", compiler, flags, header, result.out, result.err);
    command_free(&result);
    scratch_remove(dir);
}

static void in_all_languages(const char *header, const char *body)
{
    must_compile("gcc", "-std=c99", "c", header, body);
    must_compile("gcc", "-std=c17", "c", header, body);
    must_compile("g++", "-std=c++17", "cpp", header, body);
}

static void headers_compile_in_c_and_cpp(void **state)
{
    (void)state;
    in_all_languages("xmpi.h", "return XMPI_Get_process_status();");
    in_all_languages("xmpi_gen.h", "return xmpi_gen_initial();");
}

static void the_library_shows_its_interface_and_nothing_else(void **state)
{
    (void)state;
    command_t result =
        command_shell(NULL, 60,
                      "nm -D --defined-only '%s'/lib/libxmpi.so | sed 's/.* //' | grep -vE "
                      "'^(MPI_[A-Z][A-Za-z0-9_]*|XMPI_[A-Z][A-Za-z0-9_]*|xmpi_gen_[a-z_]*)$'",
                      build_dir());
    assert_string_equal(result.out, "");
    command_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_compile_in_c_and_cpp),
        cmocka_unit_test(the_library_shows_its_interface_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
