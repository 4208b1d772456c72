/* SPDX-License-Identifier: BSD-3-Clause
 * Tests that the public headers stand alone, in C and C++, and that the library shows what they
 * declare and MPI's names, and nothing else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
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

/* (What stands for a function of the C library, observe/files/next.h and
 * act/moving/storage/slide_calls.h, shows under both names.) */
static void the_library_shows_its_interface_and_nothing_else(void **state)
{
    (void)state;
    command_t result =
        command_shell(NULL, 60,
                      "nm -D --defined-only '%s'/lib/libxmpi.so | sed 's/.* //' | grep -vE "
                      "'^(MPI_[A-Z][A-Za-z0-9_]*|XMPI_[A-Z][A-Za-z0-9_]*|xmpi_gen_[a-z_]*)$' | "
                      "awk '{ shown[$0] } END { for (name in shown) "
                      "if (!(\"xmpi_file_call_\" name in shown) && "
                      "!(\"xmpi_memory_call_\" name in shown) && "
                      "!(sub(/^xmpi_(file|memory)_call_/, \"\", name) && name in shown)) "
                      "print name }'",
                      build_dir());
    assert_string_equal(result.out, "");
    command_free(&result);
}

/* A description that is longer than the library knows, and BEGIN before MPI_Init. */
static const char made_for[] =
    "#include <mpi.h>\n"
    "#include <stdio.h>\n"
    "#include <xmpi_gen.h>\n"
    "typedef struct { long long rows, columns; int by_columns; long long leading, halo, later; }\n"
    "    later_t;\n"
    "int XMPI_Get_version(int *);\n"
    "int XMPI_Register_matrix_sized(void *, const void *, unsigned long, MPI_Datatype, int);\n"
    "__attribute__((constructor)) static void begin(void) { BEGIN }\n"
    "static int add(void *data, const later_t *d)\n"
    "{ return XMPI_Register_matrix_sized(data, d, sizeof *d, MPI_INT, 0); }\n"
    "int main(void)\n"
    "{\n"
    "    int version, known, unknown;\n"
    "    void *one = NULL, *other = NULL;\n"
    "    later_t d = {4, 4, 0, 0, 0, 0};\n"
    "    MPI_Init(NULL, NULL);\n"
    "    XMPI_Get_version(&version);\n"
    "    known = add(&one, &d);\n"
    "    d.later = 1;\n"
    "    unknown = add(&other, &d);\n"
    "    printf(\"%d %d %d\\n\", version, known == MPI_SUCCESS, unknown == MPI_ERR_ARG);\n"
    "    MPI_Finalize();\n"
    "    return 0;\n"
    "}\n";

static command_t run_made_for(const char *begin)
{
    char *dir = scratch_make(), path[4096];
    snprintf(path, sizeof path, "%s/program.c", dir);
    write_file(path, made_for);
    command_t result = command_shell(
        dir, 120,
        "'%s'/bin/mpicc '-DBEGIN=%s' -I'%s'/include program.c -o program -L'%s'/lib -lxmpi "
        "-Wl,-rpath,'%s'/lib && '%s'/bin/mpiexec -n 1 ./program",
        build_dir(), begin, build_dir(), build_dir(), build_dir(), build_dir());
    scratch_remove(dir);
    return result;
}

static void versions_are_compared(void **state)
{
    (void)state;
    command_t result = run_made_for("xmpi_gen_program(1); xmpi_gen_header(100);");
    assert_int_equal(result.status, 0);
    assert_string_equal(result.out, "100 1 1\n");
    command_free(&result);
    result = run_made_for("xmpi_gen_program(1000);");
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.err, "compiled by a newer xmpicc than this libxmpi"));
    command_free(&result);
    result = run_made_for("xmpi_gen_program(1); xmpi_gen_header(990000);");
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.err, "compiled with a newer xmpi.h than this libxmpi"));
    command_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_compared),
        cmocka_unit_test(headers_compile_in_c_and_cpp),
        cmocka_unit_test(the_library_shows_its_interface_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
