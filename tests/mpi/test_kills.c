/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of killed processes, whoever it is and whenever it happens: nobody waits for ever, nothing
 * is left behind, and a job that ends well has computed what it should; also where Hydra lets the
 * others go on. SOAK makes it 40 kills of each kind. */
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

enum { SECONDS = 90 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    command_t made =
        command_shell(dir, SECONDS,
                      "for how in connecting spawning; do '%s'/bin/mpicc -shared -fPIC "
                      "'%s'/tests/mpi/programs/die_$how.c -o die_$how.so -ldl || exit 1; done",
                      build_dir(), source_dir());
    int status = made.status;
    command_free(&made);
    return status != 0 ? status : program_build(dir, "evolve", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* For each NUMBER a run with random changes, in which one of the processes is killed: which and
 * when follows from the number. A line of each on stdout: "number, mpiexec's status, whether the
 * result was right, whether mpiexec has told of a loss, processes left". */
static const char kill_one[] =
    "one() { me=$PWD/run.$1/evolve; mkdir run.$1; cp evolve run.$1; "
    "    timeout -k 1 240 '%s'/bin/mpiexec %s \"$me\" 40 250 >run.$1/out 2>run.$1/err & job=$!; "
    "    sleep 0.$((3 + $1 * 5 %% 7)); pids=$(pgrep -f \"^$me\"); n=$(echo $pids | wc -w); "
    "    [ $n = 0 ] || kill -9 $(echo $pids | cut -d' ' -f$((1 + $1 * 7 %% n))) 2>/dev/null; "
    "    wait $job; status=$?; for try in $(seq 80); do left=$(pgrep -fc \"^$me\"); "
    "        [ $left = 0 ] && break; sleep 0.5; done; "
    "    echo $1 $status $(grep -c '^evolve: ok 250' run.$1/out) "
    "        $(grep -c 'BAD TERMINATION' run.$1/out) $left; "
    "    [ $status != 124 ] || cat run.$1/err; rm -r run.$1; }; "
    "export XMPI_TIMEOUT=5 XMPI_POLICY=random XMPI_INTERVAL=5 EVOLVE_PAUSE_MS=3 %s; "
    "for number in $(seq %d); do XMPI_SEED=$number one $number & "
    "    [ $((number %% 3)) = 0 ] && wait; done; wait";

static void check_line(const char *settings, const char *line)
{
    static int in_words; /* mpiexec says 0 once in a while (test_faults.c) */
    int number, status, right, told, left;
    if (sscanf(line, "%d %d %d %d %d", &number, &status, &right, &told, &left) != 5 ||
        status == 124 || left != 0)
        fail_msg("%s: %s", settings, line);
    if (status == 0 && right != 1)
        in_words += told > 0 ? 1 : 2;
    if (in_words > 1)
        fail_msg("%s: %s", settings, line);
}

static void kill_many(const char *options, const char *settings)
{
    int kills = getenv("SOAK") != NULL ? 40 : 4;
    command_t result =
        command_shell(dir, 60 + 30 * kills, kill_one, build_dir(), options, settings, kills);
    int lines = 0;
    char *rest = NULL;
    for (char *line = strtok_r(result.out, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest), lines++)
        check_line(settings, line);
    assert_int_equal(lines, kills);
    command_free(&result);
}

static void with_options(const char *option)
{
    char options[256];
    snprintf(options, sizeof options, "%s -n 2", option);
    kill_many(options, "XMPI_BACKEND=spawn XMPI_STRATEGY=concurrent XMPI_MAX=6");
    kill_many(options, "XMPI_BACKEND=spawn XMPI_STRATEGY=group XMPI_MAX=6");
    snprintf(options, sizeof options, "%s -n 6", option);
    kill_many(options, "XMPI_BACKEND=pool XMPI_ACTIVE=2");
}

static void nobody_waits_for_a_killed_process(void **state)
{
    (void)state;
    with_options("");
}

static void nobody_waits_where_hydra_does_not_clean_up(void **state)
{
    (void)state;
    with_options("-disable-auto-cleanup");
}

/* It has been told to go, and the members are waiting for it in a call that cannot be called off.
 */
static void a_joiner_killed_on_its_last_steps_ends_the_job(void **state)
{
    (void)state;
    static const char *const strategies[] = {"group", "concurrent"};
    for (int i = 0; i < 2; i++) {
        command_t result = command_shell(
            dir, SECONDS,
            "echo >die; echo 'spawn 3 any 10' >schedule; XMPI_STRATEGY=%s XMPI_MAX=6 "
            "XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_INTERVAL=10 EVOLVE_PAUSE_MS=1 "
            "LD_PRELOAD=\"$PWD\"/die_connecting.so timeout -k 1 240 '%s'/bin/mpiexec "
            "-disable-auto-cleanup -n 2 \"$PWD\"/evolve 40 80; status=$?; "
            "for try in $(seq 80); do left=$(pgrep -fc \"^$PWD/evolve\"); "
            "    [ $left = 0 ] && break; sleep 0.5; done; echo \"left $left\"; exit $status",
            strategies[i], build_dir());
        if (result.status == 0 || result.status == 124 || strcmp(result.out, "left 0\n") != 0 ||
            (strstr(result.err, ", was killed: the job ends, as MPI cannot go on without it\n") ==
                 NULL &&
             strstr(result.err, "Fatal error in internal_Comm_connect") == NULL)) /* of its group */
            fail_msg("%s: status %d: %s%s", strategies[i], result.status, result.out, result.err);
        command_free(&result);
    }
}

/* Runs LINE, then says how many processes are left of it. */
static command_t run_and_count(const char *line)
{
    return command_shell(
        dir, SECONDS,
        "mpiexec=\"timeout -k 1 160 '%s'/bin/mpiexec -disable-auto-cleanup\"; "
        "export XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_INTERVAL=10 EVOLVE_PAUSE_MS=2; "
        "%s; for try in $(seq 80); do left=$(pgrep -fc \"^$PWD/evolve\"); "
        "    [ $left = 0 ] && break; sleep 0.5; done; echo \"left $left\"; exit $status",
        build_dir(), line);
}

/* The leader was to tell them that the program ends. */
static void those_who_are_parked_end_with_a_killed_leader(void **state)
{
    (void)state;
    static const char *const ways[] = {"XMPI_STRATEGY=group mpiexec=\"$mpiexec -n 2\"",
                                       "XMPI_BACKEND=pool XMPI_ACTIVE=2 mpiexec=\"$mpiexec -n 5\""};
    for (int i = 0; i < 2; i++) {
        char line[512];
        snprintf(line, sizeof line,
                 "printf 'spawn 3 any 10\\nremove 2 any 20\\n' >schedule; "
                 "export EVOLVE_FINALIZES=killed XMPI_MAX=5 %s; "
                 "eval $mpiexec '\"$PWD\"'/evolve 40 50; status=$?",
                 ways[i]);
        command_t result = run_and_count(line);
        if (result.status == 0 || result.status == 124 || strstr(result.out, "left 0\n") == NULL)
            fail_msg("%s: status %d: %s%s", ways[i], result.status, result.out, result.err);
        command_free(&result);
    }
}

/* They are not told what to do, and nobody but the leader, who gives them up, has called them. */
static void those_whose_spawner_was_killed_end(void **state)
{
    (void)state;
    command_t result = run_and_count(
        "echo >die; echo 'spawn 2 any 10' >schedule; export XMPI_TIMEOUT=3 XMPI_MAX=4 "
        "XMPI_STRATEGY=group LD_PRELOAD=\"$PWD\"/die_spawning.so; "
        "eval $mpiexec -n 2 '\"$PWD\"'/evolve 40 500; status=$?; unset LD_PRELOAD");
    if (result.status == 124 || strstr(result.out, "left 0\n") == NULL ||
        (result.status == 0 && strstr(result.out, "evolve: ok 500") == NULL))
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    command_free(&result);
}

/* mpiexec and the proxy of a process are gone before it comes to MPI_Init, where nobody would ever
 * answer it; the proxy is there, but stands still, as one does that does not notice. */
static void who_starts_when_mpiexec_is_gone_ends(void **state)
{
    (void)state;
    command_t result = command_shell(
        dir, SECONDS,
        "rm -f go; printf '#!/bin/sh\nuntil [ -e go ]; do sleep 0.1; done\nexec \"$@\"\n' >later; "
        "chmod 755 later; '%s'/bin/mpiexec -n 1 ./later \"$PWD\"/evolve 40 80 & job=$!; "
        "until proxy=$(pgrep -P $job) && pgrep -f \"later $PWD/evolve\" >/dev/null; "
        "    do sleep 0.1; done; "
        "kill -STOP $proxy; kill -9 $job; wait $job; touch go; for try in $(seq 80); do "
        "    left=$(pgrep -fc \"$PWD/evolve\") "
        "    spins=$(grep -c '^State:.[^ZX]' /proc/$proxy/status 2>/dev/null); "
        "    [ $left$spins = 00 -o $left$spins = 0 ] && break; sleep 0.5; done; "
        "echo \"left $left $spins\"; kill -9 $proxy 2>/dev/null; pkill -9 -f \"^$PWD/evolve\"",
        build_dir());
    if (strcmp(result.out, "left 0 0\n") != 0 && strcmp(result.out, "left 0 \n") != 0)
        fail_msg("%s%s", result.out, result.err);
    command_free(&result);
}

/* Its parent is not the proxy. mpiexec would wait for it. */
static void who_was_started_by_a_script_ends_with_its_proxy(void **state)
{
    (void)state;
    command_t result = run_and_count(
        "export XMPI_POLICY=balance; printf '#!/bin/sh\n\"$PWD\"/evolve 40 100000\n:\n' >script; "
        "chmod 755 script; eval $mpiexec -n 2 '\"$PWD\"'/script & "
        "until [ $(pgrep -fc \"^$PWD/evolve\") = 2 ]; do sleep 0.1; done; sleep 0.5; "
        "kill -9 $(ps -o ppid= -p $(ps -o ppid= -p $(pgrep -o -f \"^$PWD/evolve\"))); status=0; "
        "for try in $(seq 80); do [ $(pgrep -fc \"^$PWD/evolve\") = 0 ] && break; sleep 0.5; done; "
        "pkill -9 -f \"mpiexec .*$PWD/script\"");
    if (strcmp(result.out, "left 0\n") != 0)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    command_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_joiner_killed_on_its_last_steps_ends_the_job),
        cmocka_unit_test(those_who_are_parked_end_with_a_killed_leader),
        cmocka_unit_test(those_whose_spawner_was_killed_end),
        cmocka_unit_test(who_starts_when_mpiexec_is_gone_ends),
        cmocka_unit_test(who_was_started_by_a_script_ends_with_its_proxy),
        cmocka_unit_test(nobody_waits_for_a_killed_process),
        cmocka_unit_test(nobody_waits_where_hydra_does_not_clean_up),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, build, clean);
}
