/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of XMPI_Spawn and XMPI_Remove with the pair of programs of thesis Fig. 4.13. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 60 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    int status = program_build(dir, "flex_static", "");
    return status != 0 ? status : program_build(dir, "flex_dynamic", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static void check(const char *settings, const char *arguments, const char *out, const char *err)
{
    command_t result =
        command_shell(dir, SECONDS, "%s '%s'/bin/mpiexec %s", settings, build_dir(), arguments);
    if (result.status != 0)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    assert_string_equal(result.out, out);
    assert_string_equal(result.err, err);
    command_free(&result);
}

static void three_are_spawned_and_one_is_removed(void **state)
{
    (void)state;
    check("", "-n 3 ./flex_static ./flex_dynamic",
          "spawned: 6 processes, sum 21\nremoved: 5 processes, sum 15\n", "");
    check("", "-n 1 ./flex_static ./flex_dynamic",
          "spawned: 4 processes, sum 10\nremoved: 3 processes, sum 6\n", "");
}

static void mistakes_change_nothing(void **state)
{
    (void)state;
    check("", "-n 3 ./flex_static ./flex_dynamic wrong",
          "4 refused\nspawned: 6 processes, sum 21\nremoved: 5 processes, sum 15\n",
          "xmpi: XMPI_Spawn: 0 processes; at least 1 is needed\n"
          "xmpi: XMPI_Spawn: no processor class \"C99\" in the machine file\n"
          "xmpi: XMPI_Spawn: /nonexistent/program cannot be executed here\n"
          "xmpi: XMPI_Remove: only 2 of 99 processes may leave\n");
}

/* A communicator of the program's: it stays while all members do. */
static void one_of_the_programs_goes_with_a_member(void **state)
{
    (void)state;
    check("", "-n 3 ./flex_static ./flex_dynamic kept",
          "spawned: 6 processes, sum 21\nown: 3 processes\nremoved: 5 processes, sum 15\n", "");
    command_t gone = command_shell(
        dir, SECONDS, "'%s'/bin/mpiexec -n 3 ./flex_static ./flex_dynamic gone", build_dir());
    assert_int_not_equal(gone.status, 0);
    if (strstr(gone.err, "MPI_Allreduce with a communicator that a change of the members has "
                         "freed") == NULL)
        fail_msg("status %d: %s%s", gone.status, gone.out, gone.err);
    command_free(&gone);
}

static void what_is_open_of_all_keeps_them(void **state)
{
    (void)state;
    static const char out[] =
        "refused\nspawned: 6 processes, sum 21\nremoved: 5 processes, sum 15\n";
    check("", "-n 3 ./flex_static ./flex_dynamic window", out,
          "xmpi: rank 0: XMPI_Remove: a window of MPI is open, which members that leave could not "
          "free: free it before\n");
    check("", "-n 3 ./flex_static ./flex_dynamic file", out,
          "xmpi: rank 0: XMPI_Remove: a file of MPI is open, which members that leave could not "
          "close: close it before\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_are_spawned_and_one_is_removed),
        cmocka_unit_test(mistakes_change_nothing),
        cmocka_unit_test(what_is_open_of_all_keeps_them),
        cmocka_unit_test(one_of_the_programs_goes_with_a_member),
    };
    return cmocka_run_group_tests(tests, build, clean);
}
