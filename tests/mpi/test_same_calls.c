/* SPDX-License-Identifier: BSD-3-Clause
 * Tests that a program does the MPI calls of the plain one when it has no pragma or adaptation is
 * off: the example jacobi is built by mpicc and by xmpicc, and its calls are written down. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"

enum { SECONDS = 120 };

static char *dir;

static char *must_run(const char *environment, const char *line)
{
    command_t result =
        command_shell(dir, SECONDS, "PATH='%s/bin':$PATH; SOURCE='%s'; %s; %s", build_dir(),
                      source_dir(), environment[0] != '\0' ? environment : ":", line);
    if (result.status != 0)
        fail_msg("%s: status %d: %s%s", line, result.status, result.out, result.err);
    free(result.err);
    return result.out;
}

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    free(must_run("",
                  "cp -r \"$SOURCE\"/examples/common . && "
                  "cp -r \"$SOURCE\"/examples/jacobi annotated && cp -r annotated bare && "
                  "sed -i '/#pragma xmpi/d' bare/jacobi.c && "
                  "make -s -C annotated BUILD=../plain CC=mpicc && "
                  "make -s -C annotated BUILD=../adaptive CC=xmpicc && "
                  "make -s -C bare BUILD=../unmarked CC=xmpicc && "
                  "for level in MPI_ PMPI_; do mpicc -shared -fPIC -DLEVEL=$level "
                  "\"$SOURCE\"/tests/mpi/programs/log_calls.c -o log_$level.so || exit; done && "
                  "plain/generate -n 30 system"));
    return 0;
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* The calls of all processes, each process's in order, the processes in any order. */
static char *calls_of(const char *program, const char *level, const char *environment)
{
    char line[512];
    snprintf(line, sizeof line,
             "rm -f calls.*; LOG_CALLS=$PWD/calls LD_PRELOAD=$PWD/log_%s.so mpiexec -n 3 "
             "%s/jacobi -i 5 -t 0 system >log && ls calls.* | wc -l && md5sum <calls.%s "
             "&& sort calls.* | uniq -c",
             level, program, "$(ls calls.* | head -1 | cut -d. -f2)");
    return must_run(environment, line);
}

static void check_same(const char *program, const char *environment)
{
    char *plain = calls_of("plain", "MPI_", "");
    char *other = calls_of(program, "PMPI_", environment);
    assert_non_null(strstr(plain, " 15 Allgatherv\n")); /* 5 iterations on 3 processes */
    assert_non_null(strstr(plain, " 3 Finalize\n"));
    assert_string_equal(plain, other);
    free(plain);
    free(other);
}

static void a_program_without_a_pragma(void **state)
{
    (void)state;
    check_same("unmarked", "");
}

static void a_program_with_adaptation_off(void **state)
{
    (void)state;
    check_same("adaptive", "export XMPI_POLICY=off");
}

static void an_adaptive_run_makes_others(void **state)
{
    (void)state; /* or the tests above would prove nothing */
    char *plain = calls_of("plain", "MPI_", "");
    char *adaptive = calls_of("adaptive", "PMPI_", "export XMPI_POLICY=balance XMPI_INTERVAL=2");
    assert_string_not_equal(plain, adaptive);
    assert_non_null(strstr(adaptive, "Gather\n"));
    free(plain);
    free(adaptive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_without_a_pragma),
        cmocka_unit_test(a_program_with_adaptation_off),
        cmocka_unit_test(an_adaptive_run_makes_others),
    };
    return cmocka_run_group_tests(tests, build, clean);
}
