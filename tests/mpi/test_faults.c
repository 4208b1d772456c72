/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of what must not happen when things break: a job that hangs, or processes that stay behind.
 */
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

enum { SECONDS = 90 };

static const char *const backends[] = {
    "XMPI_BACKEND=spawn XMPI_MAX=5 PROCESSES=3",
    "XMPI_BACKEND=pool XMPI_ACTIVE=3 PROCESSES=6",
};

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    /* The folder's name makes the processes of this test recognisable. */
    return program_build(dir, "evolve", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* Starts an endless run that has grown by two and shrunk by one, waits for its 60th iteration,
 * breaks it by ACTION, in which $job is mpiexec, and looks for processes that are left when mpiexec
 * has ended. One that FAILS is told of by a status that is not 0; but once in a while mpiexec says
 * 0, and tells of it in words alone (docs/architecture.md, "Two ways to get processes"). */
static void break_run(const char *backend, const char *action, int fails)
{
    char path[512];
    snprintf(path, sizeof path, "%s/schedule", dir);
    write_file(path, "spawn 2 any 20\nremove 1 any 40\n");
    command_t result = command_shell(
        dir, SECONDS,
        "rm -f sizes; %s; export XMPI_BACKEND XMPI_MAX XMPI_ACTIVE; "
        "export XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_INTERVAL=10; "
        "'%s'/bin/mpiexec -n $PROCESSES \"$PWD\"/evolve 40 100000000 sizes >log 2>&1 & job=$!; "
        "until grep -qm1 '^60 4' sizes 2>/dev/null; do sleep 0.05; done; %s; "
        "wait $job; status=$?; "
        "for try in 1 2 3 4 5 6 7 8 9 10; do "
        "    left=$(pgrep -fc \"^$PWD/evolve\"); [ $left = 0 ] && break; sleep 0.5; done; "
        "lost=$(grep -c 'BAD TERMINATION' log); echo \"status $status lost $lost left $left\"",
        backend, build_dir(), action);
    static int in_words;
    if (fails && strstr(result.out, "status 0 ") != NULL)
        in_words += strstr(result.out, "lost 0 ") != NULL ? 2 : 1;
    if (strstr(result.out, "left 0\n") == NULL || in_words > 1)
        fail_msg("%s, %s: %s%s (exit status %d)", backend, action, result.out, result.err,
                 result.status);
    command_free(&result);
}

static void on_both_backends(const char *action, int fails)
{
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        break_run(backends[i], action, fails);
}

static void a_killed_member_ends_the_job(void **state)
{
    (void)state;
    on_both_backends("kill -9 $(pgrep -f \"^$PWD/evolve\" | head -1)", 1);
}

static void the_last_process_killed_ends_the_job(void **state)
{
    (void)state; /* a spare or a spawned one */
    on_both_backends("kill -9 $(pgrep -f \"^$PWD/evolve\" | tail -1)", 1);
}

static void a_signal_to_mpiexec_ends_the_job(void **state)
{
    (void)state;
    on_both_backends("kill -TERM $job", 0); /* Hydra may end with 0 */
    on_both_backends("kill -INT $job", 0);
}

static void a_killed_mpiexec_leaves_nothing_behind(void **state)
{
    (void)state;
    on_both_backends("kill -KILL $job", 1);
}

/* In the middle of spawning, too: members change all the time. Nor does a proxy of Hydra's stay
 * behind, which the name of the launcher makes recognisable. */
static void a_killed_mpiexec_leaves_nothing_behind_while_it_spawns(void **state)
{
    (void)state;
    command_t result =
        command_shell(dir, SECONDS,
                      "printf '#!/bin/sh\\nshift\\neval exec \"$*\"\\n' >launcher; chmod +x "
                      "launcher; echo a:8 >hosts; "
                      "for seed in 1 2 3 4 5 6; do rm -f sizes; "
                      "XMPI_POLICY=random XMPI_SEED=$seed XMPI_INTERVAL=1 XMPI_MAX=8 "
                      "'%s'/bin/mpiexec -launcher rsh -launcher-exec \"$PWD/launcher\" -f hosts "
                      "-n 2 \"$PWD\"/evolve 40 100000000 sizes >log 2>&1 & job=$!; "
                      "until grep -qm1 \"^$((seed + 5)) \" sizes 2>/dev/null; do sleep 0.01; done; "
                      "kill -KILL $job; wait $job; "
                      "for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "
                      "    left=$(pgrep -fc \"^$PWD/evolve|hydra_pmi_proxy.*$PWD/launcher\"); "
                      "    [ $left = 0 ] && break; sleep 0.5; done; "
                      "[ $left = 0 ] || { pkill -9 -f \"$PWD/launcher\"; exit 1; }; done",
                      build_dir());
    if (result.status != 0)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    command_free(&result);
}

/* A member that ends the job by itself takes all with it, parked ones and spawners too. */
static void an_early_end_is_the_end_of_all(void **state)
{
    (void)state;
    static const char *const ends[] = {"abort", "exit"};
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        for (int k = 0; k < 2; k++) {
            command_t result = command_shell(
                dir, SECONDS,
                "printf 'spawn 2 any 20\\nremove 1 any 40\\n' >schedule; %s; "
                "export XMPI_BACKEND XMPI_MAX XMPI_ACTIVE; EVOLVE_ENDS=%s "
                "XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_INTERVAL=10 "
                "'%s'/bin/mpiexec -n $PROCESSES \"$PWD\"/evolve 40 100; status=$?; "
                "for try in 1 2 3 4 5 6 7 8 9 10; do "
                "    left=$(pgrep -fc \"^$PWD/evolve\"); [ $left = 0 ] && break; sleep 0.5; done; "
                "echo \"left $left\"; exit $status",
                backends[i], ends[k], build_dir());
            if (result.status == 0 || strstr(result.out, "left 0\n") == NULL)
                fail_msg("%s, %s: status %d: %s%s", backends[i], ends[k], result.status, result.out,
                         result.err);
            command_free(&result);
        }
}

/* Spares and members that have left are there until the end; the program's own end is what counts.
 */
static void a_program_may_end_without_finalizing(void **state)
{
    (void)state;
    static const char *const how[] = {"never", "atexit"};
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        for (int k = 0; k < 6; k++) {
            command_t result =
                command_shell(dir, SECONDS,
                              "printf 'spawn 2 any 20\nremove 1 any 40\n' >schedule; %s; "
                              "export XMPI_BACKEND XMPI_MAX XMPI_ACTIVE; EVOLVE_FINALIZES=%s "
                              "XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_INTERVAL=10 "
                              "'%s'/bin/mpiexec -n $PROCESSES \"$PWD\"/evolve 40 100",
                              backends[i], how[k % 2], build_dir());
            if (result.status != 0 || strncmp(result.out, "evolve: ok 100 ", 15) != 0 ||
                result.err[0] != '\0')
                fail_msg("%s, %s: status %d: %s%s", backends[i], how[k % 2], result.status,
                         result.out, result.err);
            command_free(&result);
        }
}

/* What a process has printed is seen, also of one that leaves; what the program does at its end is
 * done by those that are members then. */
static void who_leaves_does_not_end_the_program(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
        command_t result = command_shell(
            dir, SECONDS,
            "printf 'spawn 2 any 20\nremove 3 any 40\nspawn 1 any 60\nremove 1 any 80\n' "
            ">schedule; %s; export XMPI_BACKEND XMPI_MAX XMPI_ACTIVE; EVOLVE_SAYS=1 "
            "XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_INTERVAL=10 "
            "'%s'/bin/mpiexec -n $PROCESSES \"$PWD\"/evolve 40 100 | "
            "grep -o 'evolve: [a-z_]* *[0-9]*' | sort | uniq -c",
            backends[i], build_dir());
        if (result.status != 0 || strstr(result.out, " 2 evolve: atexit\n") == NULL ||
            strstr(result.out, " 2 evolve: destructor\n") == NULL ||
            strstr(result.out, " 5 evolve: in 30\n") == NULL ||
            strstr(result.out, " 2 evolve: on_exit 0\n") == NULL || result.err[0] != '\0')
            fail_msg("%s: status %d: %s%s", backends[i], result.status, result.out, result.err);
        command_free(&result);
    }
}

/* Parked processes are gone before a member is that ends without MPI_Finalize: killed by Hydra,
 * they would make 9 of its status. (1 is what mpiexec makes of one in thirty such ends of any
 * program of one process; so does it here.) */
static void an_early_end_keeps_its_status_beside_parked_processes(void **state)
{
    (void)state;
    int kept = 0;
    for (int i = 0; i < 6; i++) {
        command_t result = command_shell(dir, SECONDS,
                                         "XMPI_ACTIVE=1 XMPI_POLICY=balance EVOLVE_ENDS=exit "
                                         "'%s'/bin/mpiexec -n 3 \"$PWD\"/evolve 40 100",
                                         build_dir());
        kept += result.status == 5;
        if (result.status != 5 && result.status != 1)
            fail_msg("status %d: %s%s", result.status, result.out, result.err);
        command_free(&result);
    }
    assert_in_range(kept, 3, 6);
}

/* Signals that interrupt every call of the system are no reason to call a change off. */
static void signals_call_nothing_off(void **state)
{
    (void)state;
    static const char *const how[] = {"XMPI_STRATEGY=group", "XMPI_STRATEGY=concurrent"};
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        for (int k = 0; k < 2; k++) {
            command_t result =
                command_shell(dir, SECONDS,
                              "%s; export XMPI_BACKEND XMPI_MAX XMPI_ACTIVE; EVOLVE_ALARM=1 %s "
                              "XMPI_POLICY=random XMPI_INTERVAL=3 "
                              "'%s'/bin/mpiexec -n $PROCESSES \"$PWD\"/evolve 40 100",
                              backends[i], how[k], build_dir());
            if (result.status != 0 || strncmp(result.out, "evolve: ok 100 ", 15) != 0 ||
                result.err[0] != '\0')
                fail_msg("%s, %s: status %d: %s%s", backends[i], how[k], result.status, result.out,
                         result.err);
            command_free(&result);
        }
}

/* An hour, forwards or back, while the program runs: times go on evenly, and the policy amp does
 * not take the goal for missed. */
static void a_step_of_the_clock_is_no_time(void **state)
{
    (void)state;
    static const int steps[] = {3600, -3600};
    for (int i = 0; i < 2; i++) {
        command_t result = command_shell(
            dir, SECONDS,
            "'%s'/bin/mpicc -shared -fPIC '%s'/tests/mpi/programs/step_clock.c -o step_clock.so; "
            "rm -f trace sizes stepped; (until grep -qm1 '^60 ' sizes 2>/dev/null; do sleep 0.05; "
            "done; echo %d >stepped) & LD_PRELOAD=\"$PWD\"/step_clock.so "
            "STEP_CLOCK=\"$PWD\"/stepped XMPI_TRACE=trace XMPI_POLICY=amp XMPI_GOAL=60s "
            "XMPI_ITERATIONS=200 "
            "XMPI_INTERVAL=10 XMPI_MAX=4 EVOLVE_PAUSE_MS=5 '%s'/bin/mpiexec -n 2 ./evolve 40 200 "
            "sizes && awk -F'\"time\":' '{ t = $2 + 0; if (t < last || t > 120) bad = 1; last = t "
            "} "
            "END { print (NR > 9 ? \"evenly\" : \"short\"), bad + 0 }' trace",
            build_dir(), source_dir(), steps[i], build_dir());
        if (result.status != 0 || strstr(result.out, "\nevenly 0\n") == NULL)
            fail_msg("%d s: status %d: %s%s", steps[i], result.status, result.out, result.err);
        command_free(&result);
    }
}

/* Threads of the program call MPI at the same time as the runtime does. */
static void threads_may_call_mpi(void **state)
{
    (void)state;
    assert_int_equal(program_build(dir, "threads", "-lpthread"), 0);
    command_t result =
        command_shell(dir, SECONDS,
                      "export XMPI_POLICY=random XMPI_INTERVAL=3 && "
                      "XMPI_BACKEND=spawn XMPI_MAX=5 '%s'/bin/mpiexec -n 2 ./threads 53 90 && "
                      "XMPI_BACKEND=pool XMPI_ACTIVE=2 '%s'/bin/mpiexec -n 5 ./threads 53 90",
                      build_dir(), build_dir());
    if (result.status != 0 || strcmp(result.out, "threads: ok 90\nthreads: ok 90\n") != 0)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    command_free(&result);
}

/* One that calls MPI all the time keeps the members as they are while it does, in one line. */
static void threads_that_go_on_keep_the_members(void **state)
{
    (void)state;
    static const char *const where[] = {"self", "world"};
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        for (int k = 0; k < 2; k++) {
            command_t result = command_shell(
                dir, SECONDS,
                "%s; export XMPI_BACKEND XMPI_MAX XMPI_ACTIVE; rm -f trace; XMPI_TRACE=trace "
                "XMPI_POLICY=random XMPI_INTERVAL=3 '%s'/bin/mpiexec -n $PROCESSES ./threads 53 90 "
                "%s 60; status=$?; grep -c 'another thread calls MPI' trace; grep -q "
                "'\"outcome\":\"done\"' trace && echo changed; exit $status",
                backends[i], build_dir(), where[k]);
            if (result.status != 0 || strcmp(result.out, "threads: ok 90\n19\nchanged\n") != 0 ||
                strcmp(
                    result.err,
                    "xmpi: threads.c: the loop keeps its processes while other threads that call "
                    "MPI go on from one iteration to the next, as they would be in the world of "
                    "before; let them end in the iteration\n") != 0)
                fail_msg("%s, %s: status %d: %s%s", backends[i], where[k], result.status,
                         result.out, result.err);
            command_free(&result);
        }
}

/* The program traps, rounds upwards and looks at its flags; the runtime computes otherwise. */
static void the_program_keeps_its_floating_point_environment(void **state)
{
    (void)state;
    static const char *const policies[] = {"random", "hpmp XMPI_ITERATIONS=200",
                                           "amp XMPI_GOAL=2s XMPI_ITERATIONS=200",
                                           "balance XMPI_IMBALANCE=0.001"};
    assert_int_equal(program_build(dir, "floating", "-lm"), 0);
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        command_t result = command_shell(
            dir, SECONDS,
            "XMPI_POLICY=%s XMPI_TRACE=trace XMPI_INTERVAL=3 XMPI_MAX=5 XMPI_BACKEND=spawn "
            "'%s'/bin/mpiexec -n 2 ./floating 40 100",
            policies[i], build_dir());
        if (result.status != 0 || strcmp(result.out, "floating: ok 100\n") != 0)
            fail_msg("%s: status %d: %s%s", policies[i], result.status, result.out, result.err);
        command_free(&result);
    }
}

/* The executable disappears while the program runs: it cannot be spawned, and the old layout runs
 * on. */
static void a_program_that_is_gone_runs_on_as_it_is(void **state)
{
    (void)state;
    command_t result =
        command_shell(dir, SECONDS,
                      "cp evolve vanishing; echo 'spawn 1 any 2000' >schedule; "
                      "EVOLVE_REMOVES=vanishing "
                      "XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_INTERVAL=2000 XMPI_MAX=4 "
                      "XMPI_TRACE=trace "
                      "'%s'/bin/mpiexec -n 2 ./vanishing 20 4000 && grep -c 'called off' trace",
                      build_dir());
    if (result.status != 0 || strstr(result.out, "evolve: ok 4000") == NULL ||
        strstr(result.err, "no grow from 2 to 3") == NULL ||
        strstr(result.err, "cannot be executed here; the program goes on as before") == NULL)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    command_free(&result);
}

/* MPICH's own attempt to start an mpiexec for such a process never ends. */
static void a_program_without_mpiexec_runs_alone(void **state)
{
    (void)state;
    command_t result =
        command_shell(dir, SECONDS, "XMPI_POLICY=random XMPI_MAX=3 XMPI_INTERVAL=5 ./evolve 40 60");
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, "evolve: ok 60"));
    assert_string_equal(result.err, "xmpi: started without mpiexec, so that no process can be "
                                    "added; use mpiexec -n 1\n");
    command_free(&result);
    result = command_shell(dir, SECONDS, "./evolve 40 60");
    assert_int_equal(result.status, 0);
    assert_string_equal(result.err, "");
    command_free(&result);
    result = command_shell(dir, SECONDS, "XMPI_BACKEND=spawn ./evolve 40 60");
    assert_int_not_equal(result.status, 0);
    assert_non_null(strstr(result.err, "XMPI_BACKEND=spawn: a program that is started without "
                                       "mpiexec cannot start processes; use mpiexec -n 1\n"));
    command_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_without_mpiexec_runs_alone),
        cmocka_unit_test(a_killed_member_ends_the_job),
        cmocka_unit_test(the_last_process_killed_ends_the_job),
        cmocka_unit_test(a_signal_to_mpiexec_ends_the_job),
        cmocka_unit_test(a_killed_mpiexec_leaves_nothing_behind),
        cmocka_unit_test(a_killed_mpiexec_leaves_nothing_behind_while_it_spawns),
        cmocka_unit_test(an_early_end_is_the_end_of_all),
        cmocka_unit_test(a_program_may_end_without_finalizing),
        cmocka_unit_test(who_leaves_does_not_end_the_program),
        cmocka_unit_test(an_early_end_keeps_its_status_beside_parked_processes),
        cmocka_unit_test(the_program_keeps_its_floating_point_environment),
        cmocka_unit_test(signals_call_nothing_off),
        cmocka_unit_test(a_step_of_the_clock_is_no_time),
        cmocka_unit_test(threads_may_call_mpi),
        cmocka_unit_test(threads_that_go_on_keep_the_members),
        cmocka_unit_test(a_program_that_is_gone_runs_on_as_it_is),
    };
    return cmocka_run_group_tests(tests, build, clean);
}
