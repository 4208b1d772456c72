/* SPDX-License-Identifier: BSD-3-Clause
 * Out of memory is said: whichever allocation of the library gets nothing, the job has the right
 * result, or ends with a line that says so. It neither crashes nor waits for ever. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "support/program.h"

/* Every STEP-th allocation, fewer where changes are checked, and the last ones, when parked
 * processes hear that the program has ended; or with SOAK=1 each: it takes minutes. */
enum { SECONDS = 60, STEP = 12, STEP_CHECKED = 29, STEP_BY_HAND = 9, LAST = 3 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    command_t made = command_shell(dir, SECONDS,
                                   "cc -O1 -shared -fPIC '%s'/tests/mpi/programs/no_memory.c "
                                   "-o no_memory.so -ldl",
                                   source_dir());
    int status = made.status;
    if (status != 0)
        fprintf(stderr, "%s", made.err);
    command_free(&made);
    return status != 0 ? status
                       : program_build(dir, "evolve", "") || program_build(dir, "redistribute", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* What is run, what it says where all is right, and with which status it ends where a function has
 * told it that there is no memory (2: the library ends it). */
typedef struct {
    const char *settings, *program, *good;
    int processes, step, told;
} work_t;

static const char adaptive[] = "./evolve 40 16", adapted[] = "evolve: ok 16 ";

static command_t run(const work_t *work, int rank, long at)
{
    return command_shell(dir, SECONDS,
                         "XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_TIMEOUT=30 XMPI_TRACE=trace %s "
                         "'%s'/bin/mpiexec -env LD_PRELOAD \"$PWD\"/no_memory.so "
                         "-env NO_MEMORY_RANK %d -env NO_MEMORY_AT %ld -n %d %s",
                         work->settings, build_dir(), rank, at, work->processes, work->program);
}

/* How many there are, of the process that makes most. */
static long count(const work_t *work, int rank)
{
    static const char word[] = "allocations ";
    command_t result = run(work, rank, 0);
    long most = 0;
    for (char *at = result.err; (at = strstr(at, word)) != NULL; at += sizeof word - 1) {
        long made = atol(at + sizeof word - 1);
        most = made > most ? made : most;
    }
    if (result.status != 0 || most == 0)
        fail_msg("%s: status %d: %s%s", work->settings, result.status, result.out, result.err);
    command_free(&result);
    return most;
}

static long next(long at, int step, long all)
{
    long last = all - LAST + 1;
    return at >= last ? at + 1 : at + step < last ? at + step : last;
}

/* Where a process aborts, mpiexec does not always wait for what another one has said before: such
 * a run is made again. */
static void try_one(const work_t *work, int rank, long at, long all)
{
    enum { TRIES = 5 };
    for (int tried = 1;; tried++) {
        command_t result = run(work, rank, at);
        bool right = result.status == 0 && strstr(result.out, work->good) != NULL;
        bool ended = result.status == 2 || result.status == work->told;
        bool said =
            ended && strstr(result.err, "xmpi: ") != NULL && strstr(result.err, " memory") != NULL;
        if (!right && !said && (!ended || tried == TRIES))
            fail_msg("%s %s: allocation %ld of %ld on rank %d: status %d: %s%s", work->settings,
                     work->program, at, all, rank, result.status, result.out, result.err);
        command_free(&result);
        if (right || said)
            return;
    }
}

static void try_all(const work_t *work)
{
    if (getenv("SANITIZE_FLAGS") != NULL && *getenv("SANITIZE_FLAGS") != '\0')
        skip(); /* a sanitizer has its own memory */
    int step = getenv("SOAK") != NULL ? 1 : work->step;
    for (int rank = 0; rank < work->processes; rank++) {
        long all = count(work, rank);
        for (long at = 1 + rank; at <= all; at = next(at, step, all))
            try_one(work, rank, at, all);
    }
}

static void woken_processes_say_it(void **state)
{
    (void)state;
    try_all(&(work_t){"XMPI_ACTIVE=2", adaptive, adapted, 3, STEP, 2});
}

static void spawned_processes_say_it(void **state)
{
    (void)state;
    try_all(&(work_t){"XMPI_BACKEND=spawn XMPI_MAX=3", adaptive, adapted, 2, STEP, 2});
}

/* Copies, what is noted of memory and files, and comparing. */
static void checks_say_it(void **state)
{
    (void)state;
    try_all(&(work_t){"XMPI_CHECK=all XMPI_ACTIVE=2", adaptive, adapted, 3, STEP_CHECKED, 2});
}

/* Some members have a plan then, and one has none. */
static void redistribution_by_hand_says_it(void **state)
{
    (void)state;
    try_all(&(work_t){"", "./redistribute random 1 1", "redistribute: ok 1 ", 2, STEP_BY_HAND, 3});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(woken_processes_say_it), cmocka_unit_test(spawned_processes_say_it),
        cmocka_unit_test(checks_say_it), cmocka_unit_test(redistribution_by_hand_says_it)};
    return cmocka_run_group_tests(tests, build, clean);
}
