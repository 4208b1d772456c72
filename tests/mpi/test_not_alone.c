/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of programs that are not XMPI's alone: beside others in one world, spawned by a program of
 * their own, under tools that wrap MPI. They run as without XMPI, or adapt where that is sound;
 * they say so in one line, and never wait for who does not come. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 60 };

static char *dir;

static command_t run(const char *line)
{
    return command_shell(dir, SECONDS, "export PATH='%s/bin':$PATH SOURCE='%s'; %s", build_dir(),
                         source_dir(), line);
}

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    command_t made =
        run("P=\"$SOURCE\"/tests/mpi/programs; xmpicc -O1 $P/company.c -o adaptive && "
            "xmpicc -O1 -DASK $P/company.c -o asking && "
            "mpicc -w -O1 $P/company.c -o plain && "
            "sed '/#pragma xmpi/d' $P/company.c >bare.c && xmpicc -O1 bare.c -o watched && "
            "mpicc -O1 $P/parent.c -o parent && xmpicc -O1 $P/parent.c -o other_parent && "
            "mpicc -shared -fPIC $P/tool.c -o tool.so && "
            "mpicc -shared -fPIC -DSTART $P/tool.c -o start.so && "
            "sed 's/ MPI_Allreduce/ PMPI_Allreduce/' $P/company.c >past.c && "
            "xmpicc -O1 past.c -o past && "
            "mpicc -w -O1 -c $P/tool.c -o tool.o && xmpicc -O1 $P/company.c tool.o -o tooled");
    int status = made.status;
    if (status != 0)
        fprintf(stderr, "%s%s", made.out, made.err);
    command_free(&made);
    return status;
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static const char wanted[] = "XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_MAX=5";

/* What the program says, in short: the sum, and whether its numbers of processes differ. */
static void sum_up(const char *out, char *text, size_t room)
{
    int changes = 0, first = atoi(out);
    const char *sum = strstr(out, "sum ");
    for (const char *at = out; sum != NULL && at < sum; at = strchr(at, '\n') + 1)
        changes += atoi(at) != first;
    snprintf(text, room, "%.*s, %s", sum != NULL ? (int)strcspn(sum, "\n") : 0,
             sum != NULL ? sum : "", changes > 0 ? "changed" : "kept");
}

/* LINE gives OUT, and on stderr a line with SAID, and no other (NULL: none at all). */
static void check(const char *settings, const char *line, const char *out, const char *said)
{
    char text[512];
    snprintf(text, sizeof text, "%s %s", settings, line);
    command_t result = run(text);
    if (result.status != 0)
        fail_msg("%s: status %d: %s%s", text, result.status, result.out, result.err);
    sum_up(result.out, text, sizeof text);
    assert_string_equal(text, out);
    if (said == NULL)
        assert_string_equal(result.err, "");
    else if (strstr(result.err, said) == NULL ||
             strchr(result.err, '\n') != strrchr(result.err, '\n'))
        fail_msg("%s: \"%s\" is not what it says, or not all: %s", line, said, result.err);
    command_free(&result);
}

/* The reference: the program adapts where it is alone. */
static void alone_it_changes(void **state)
{
    (void)state;
    check(wanted, "mpiexec -n 2 ./adaptive", "sum 53100, changed", NULL);
}

static void beside_a_plain_program_it_keeps_its_processes(void **state)
{
    (void)state;
    static const char *const lines[] = {"mpiexec -n 2 ./adaptive : -n 2 ./plain",
                                        "mpiexec -n 1 ./plain : -n 2 ./adaptive",
                                        "mpiexec -n 2 ./adaptive : -n 1 ./watched",
                                        "XMPI_ACTIVE=1 mpiexec -n 2 ./adaptive : -n 2 ./plain"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check(wanted, lines[i], "sum 53100, kept", "xmpi: ");
}

/* Parts that are the same program are one. */
/* As CMake has it compiled with MPI_C_COMPILER=xmpicc: with the flags that xmpicc tells, by gcc. */
static void compiled_by_another_compiler_it_says_so(void **state)
{
    (void)state;
    command_t made = run("gcc -w -O1 \"$SOURCE\"/tests/mpi/programs/company.c -o by_gcc "
                         "$(xmpicc -compile_info | grep -o -- '-I[^ ]*') "
                         "$(xmpicc -link_info | cut -d' ' -f2-)");
    if (made.status != 0)
        fail_msg("%s", made.err);
    command_free(&made);
    check("XMPI_MAX=4", "mpiexec -n 2 ./by_gcc", "sum 53100, kept",
          "xmpi: XMPI_MAX is set, but the program has no adaptive loop: no file with #pragma xmpi "
          "loop was compiled by xmpicc (where MPI_C_COMPILER");
    check("XMPI_MAX=4 XMPI_POLICY=off", "mpiexec -n 2 ./by_gcc", "sum 53100, kept", NULL);
    check("", "mpiexec -n 2 ./by_gcc", "sum 53100, kept", NULL);
}

static void parts_of_one_program_change(void **state)
{
    (void)state;
    check(wanted, "mpiexec -n 1 -env A 1 ./adaptive : -n 1 -env A 2 ./adaptive",
          "sum 53100, changed", NULL);
}

static void a_traced_part_is_traced_by_itself(void **state)
{
    (void)state;
    check("XMPI_TRACE=trace", "mpiexec -n 2 ./watched : -n 1 ./plain", "sum 53100, kept", NULL);
    command_t trace = run("grep -c '\"members\":2' trace");
    assert_int_not_equal(atoi(trace.out), 0);
    command_free(&trace);
}

static void one_that_was_spawned_changes_by_itself(void **state)
{
    (void)state;
    static const char *const parents[] = {"parent", "other_parent"};
    for (int i = 0; i < 2; i++) {
        char line[128];
        snprintf(line, sizeof line, "XMPI_ACTIVE=7 mpiexec -n 1 ./%s ./adaptive", parents[i]);
        check(wanted, line, "sum 53100, changed", i == 0 ? NULL : "has no adaptive loop");
    }
    check(wanted, "mpiexec -n 1 ./parent ./asking", "sum 53100, kept", "MPI_Comm_get_parent");
    check(wanted, "mpiexec -n 2 ./asking", "sum 53100, changed", NULL); /* there is no parent */
}

static void under_a_tool_it_keeps_its_processes(void **state)
{
    (void)state;
    check(wanted, "mpiexec -n 2 -env LD_PRELOAD ./start.so ./adaptive", "sum 53100, kept",
          "start.so");
    static const char *const lines[] = {"mpiexec -n 2 -env LD_PRELOAD ./tool.so ./adaptive",
                                        "mpiexec -n 2 ./tooled"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s %s 2>&1 >out | sort; tail -1 out; sort -u out | wc -l",
                 wanted, lines[i]);
        command_t result = run(text);
        assert_int_equal(strncmp(result.out, "tool: 60 calls\ntool: 60 calls\n", 30), 0);
        assert_non_null(
            strstr(result.out, "xmpi: a tool wraps calls of MPI before XMPI (MPI_Allreduce in ./"));
        assert_non_null(strstr(result.out, "\nsum 53100\n2\n"));
        command_free(&result);
    }
}

static void past_xmpi_it_keeps_its_processes(void **state)
{
    (void)state;
    check(wanted, "mpiexec -n 2 ./past", "sum 53100, kept", "the program calls PMPI_Allreduce");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_it_changes),
        cmocka_unit_test(beside_a_plain_program_it_keeps_its_processes),
        cmocka_unit_test(compiled_by_another_compiler_it_says_so),
        cmocka_unit_test(parts_of_one_program_change),
        cmocka_unit_test(a_traced_part_is_traced_by_itself),
        cmocka_unit_test(one_that_was_spawned_changes_by_itself),
        cmocka_unit_test(under_a_tool_it_keeps_its_processes),
        cmocka_unit_test(past_xmpi_it_keeps_its_processes),
    };
    return cmocka_run_group_tests(tests, build, clean);
}
